package demo

// users are the accounts of the demo site, one for each role.
var users = []user{
	{login: "admin", role: "administrator", level: "10", first: "Noor", last: "Vandamme"},
	{login: "editor", role: "editor", level: "7", first: "Claire", last: "Delcourt"},
	{login: "author", role: "author", level: "2", first: "Tom", last: "Ashworth"},
	{login: "contributor", role: "contributor", level: "1", first: "Yusuf", last: "Demir"},
	{login: "subscriber", role: "subscriber", level: "0", first: "Lena", last: "Peeters"},
}
