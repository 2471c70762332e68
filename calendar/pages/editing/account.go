package editing

import "net/http"

// accountPages are those on which people sign in and look after accounts.
func accountPages() []page {
	return []page{
		{method: http.MethodGet, path: "", may: signedIn, show: (*Site).showStart},
		{method: http.MethodGet, path: signInPath, may: anyone, show: (*Site).showSignIn},
		{method: http.MethodPost, path: signInPath, may: anyone, show: (*Site).signIn},
		{method: http.MethodPost, path: signOutPath, may: signedIn, show: (*Site).signOut},
		{method: http.MethodGet, path: accountPath, may: signedIn, show: (*Site).showAccount},
	}
}

func (s *Site) showStart(r *request) (answer, error) { return seeOther(r.link(accountPath + "/")), nil }

func (s *Site) showAccount(*request) (answer, error) {
	return shown("account.html", "account", nil), nil
}
