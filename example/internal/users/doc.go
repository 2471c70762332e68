// Package users manages the accounts of a site for whoever runs it: it adds
// them, gives them application passwords and lists them. It writes the rows that
// the site's own programs would write.
package users
