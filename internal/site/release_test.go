package site

import (
	"bytes"
	"context"
	"log/slog"
	"maps"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/release"
)

// TestReleaseAndThemeAreSettings checks that release and theme are settings like others, and that validators depend on
// them but not on the rest of the rows that contain them (D82).
func TestReleaseAndThemeAreSettings(t *testing.T) {
	stored := map[string]string{"db_version": "60717", "stylesheet": "twentytwentyfive", "template": "twentytwentyfive"}
	styles := ""
	var log bytes.Buffer
	c := &Cache{
		Options:    func(context.Context, []string) (map[string]string, error) { return maps.Clone(stored), nil },
		UserStyles: func(context.Context, string) (string, error) { return styles, nil },
		Logger:     slog.New(slog.NewTextHandler(&log, nil)),
	}
	read := func() *Settings {
		t.Helper()
		return must.Get(c.Settings(t.Context()))(t)
	}
	old := read()
	if old.WordPress != release.WP69 || old.Links.WordPress != release.WP69 {
		t.Errorf("%v, addresses of %v", old.WordPress, old.Links.WordPress)
	}
	styles = `{"styles":{"spacing":{"blockGap":"3px"}}}`
	if read() != old {
		t.Error("6.9 depends on the gaps of the theme")
	}
	stored["db_version"] = "61833"
	updated := read()
	if updated.WordPress != release.WP71 || updated.Digest == old.Digest || updated.UserStyles != styles {
		t.Errorf("after an update: %v, styles %q, the same digest: %v", updated.WordPress, updated.UserStyles, updated.Digest == old.Digest)
	}
	shown, _ := updated.Shown()
	if stored[release.UpdateCheck] = "7.1"; read().Digest != updated.Digest {
		t.Error("the digest depends on the row that says the release")
	}
	styles = ""
	again, _ := read().Shown()
	if read().Digest == updated.Digest || bytes.Equal(shown, again) || read().Theme == updated.Theme {
		t.Error("what users changed of the theme changes nothing")
	}
	stored["db_version"] = "70000"
	delete(stored, release.UpdateCheck)
	if s := read(); s.WordPress != release.Newest || strings.Count(log.String(), "newer WordPress") != 1 {
		t.Errorf("a later release: %v, log %q", s.WordPress, log.String())
	}
	said := release.WP70
	c = &Cache{Options: c.Options, WordPress: &said}
	if s := read(); s.WordPress != release.WP70 {
		t.Errorf("the host said 7.0: %v", s.WordPress)
	}
	stored = map[string]string{"agenda_site": "1"}
	c.WordPress = nil
	if s := read(); s.WordPress != release.Newest {
		t.Errorf("a site of our own: %v", s.WordPress)
	}
}
