package editing_test

import (
	"net/http"
	"strings"
	"testing"
)

// Who signs in is known until signing out, and the page is for no cache, no frame and no other site.
func TestSignInAndOut(t *testing.T) {
	f := ownSite(t)
	b := f.nobody()
	if a := b.get("/edit/"); a.Code != http.StatusSeeOther || a.Header().Get("Location") != "/edit/sign-in/?next=%2Fedit%2F" {
		t.Errorf("nobody: %d %v", a.Code, a.Header())
	}
	b = f.as("editor1")
	a := b.get("/edit/account/")
	if a.Code != http.StatusOK || !strings.Contains(a.Body.String(), "editor1") {
		t.Errorf("signed in: %d %s", a.Code, a.Body)
	}
	for name, want := range map[string]string{
		"Cache-Control": "private, no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "ETag": "",
	} {
		if got := a.Header().Get(name); got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	if a := b.post("/edit/sign-out/", nil); a.Code != http.StatusSeeOther || len(b.cookies) != 0 {
		t.Errorf("signing out: %d, cookies %v", a.Code, b.cookies)
	}
}
