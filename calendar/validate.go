package calendar

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/wp/release"
	"github.com/agendahq/agenda/schema"
)

var (
	namespacePattern = regexp.MustCompile(`^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)*$`)
	paramPattern     = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
)

// validate returns all errors in the options, whose defaults must be set.
func (o *Options) validate() error {
	var errs []error
	wrong := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	wrong(o.DB == nil, "DB is not set")
	for i, db := range o.Replicas {
		wrong(!o.validReplica(db), "Replicas[%d]: use a database other than DB, of the same kind", i)
	}
	wrong(!namespacePattern.MatchString(o.Namespace), "Namespace %q: use a path such as vendor/events/v1", o.Namespace)
	wrong(!paramPattern.MatchString(o.LanguageParam), "LanguageParam %q: use letters, digits, _ or -", o.LanguageParam)
	wrong(o.JournalShare != None && !(o.JournalShare > 0 && o.JournalShare <= 1), "JournalShare %g: use a number up to 1", o.JournalShare)
	wrong(o.PublishEvery < 0, "PublishEvery %s is negative", o.PublishEvery)

	s, prefixed := o.Site, "Site.%s %q: use 1 to 32 letters, digits or underscores"
	wrong(!schema.ValidPrefix(s.Prefix), prefixed, "Prefix", s.Prefix)
	wrong(s.UserPrefix != "" && !schema.ValidPrefix(s.UserPrefix), prefixed, "UserPrefix", s.UserPrefix)
	wrong(s.URL != "" && !absolute(s.URL), "Site.URL %q: use an absolute http or https address", s.URL)
	wrong(s.GeoRadius < 0, "Site.GeoRadius %g is negative", s.GeoRadius)
	forms := []Translations{TranslationsAuto, TranslationsOff, TranslationsTable, TranslationsTerms}
	wrong(!slices.Contains(forms, s.Translations), "Site.Translations %q: use off, table, terms or nothing", s.Translations)

	lists := []Dates{DatesAuto, DatesEach, DatesPlain}
	wrong(!slices.Contains(lists, s.Dates), "Site.Dates %q: use each, plain or nothing", s.Dates)

	_, err := release.Parse(s.WordPress)
	wrong(s.WordPress != "" && err != nil, "Site.WordPress: %w", err)

	l := o.Limits
	wrong(l.RequestTimeout < 0, "Limits.RequestTimeout %s is negative", l.RequestTimeout)
	wrong(l.MaxBody < 0, "Limits.MaxBody %d is negative", l.MaxBody)
	wrong(l.MaxAnswer < 0 && l.MaxAnswer != None, "Limits.MaxAnswer %d is negative", l.MaxAnswer)
	wrong(l.PageSize < 0 || l.MaxPageSize < 1, "Limits: PageSize %d, MaxPageSize %d: use positive numbers", l.PageSize, l.MaxPageSize)
	wrong(l.MaxPageSize > 0 && l.PageSize > l.MaxPageSize, "Limits: PageSize %d is greater than MaxPageSize %d", l.PageSize, l.MaxPageSize)
	c := o.Cache
	wrong(c.Bytes < 0 && c.Bytes != None, "Cache.Bytes %d is negative", c.Bytes)
	wrong(c.Settle < 0, "Cache.Settle %s is negative", c.Settle)
	wrong(c.MaxAge < 0, "Cache.MaxAge %s is negative", c.MaxAge)
	wrong(c.MaxStale < 0 || c.MaxAge >= 0 && c.MaxStale > c.MaxAge,
		"Cache.MaxStale %s: use a duration up to Cache.MaxAge (%s)", c.MaxStale, c.MaxAge)
	wrong(c.Tags != "" && c.Tags != SurrogateKey && c.Tags != CacheTag, "Cache.Tags %q: use %s, %s or nothing", c.Tags,
		SurrogateKey, CacheTag)

	wrong(o.Login.Keys != (SiteKeys{}) && !o.Login.keys().Complete(), "Login.Keys: all four keys are needed")
	wrong(o.NoCORS && len(o.Login.CredentialOrigins) > 0, "Login.CredentialOrigins has no effect with NoCORS")
	for _, origin := range o.Login.CredentialOrigins {
		wrong(!absolute(origin) || strings.Count(origin, "/") != 2,
			"Login.CredentialOrigins: %q: use an origin such as https://app.example.org", origin)
	}
	if u := o.Uploads; u.Dir != "" || u.BaseURL != "" {
		info, err := os.Stat(u.Dir)
		wrong(u.Dir == "" || err != nil || !info.IsDir(), "Uploads.Dir %q: not a directory", u.Dir)
		wrong(!absolute(u.BaseURL), "Uploads.BaseURL %q: use an absolute http or https address", u.BaseURL)
	}

	errs = append(errs, o.declared().Check(o.Site.Names, o.LanguageParam)...)
	seen, codes := map[string]bool{}, map[string]bool{}
	for _, l := range o.Languages {
		_, err := language.Parse(l.Tag)
		wrong(err != nil, "language %q: not a language tag", l.Tag)
		wrong(seen[l.Tag], "language %q occurs twice in Languages", l.Tag)
		wrong(codes[l.code()] && !seen[l.Tag], "language %q: another one has the code %q", l.Tag, l.code())
		seen[l.Tag], codes[l.code()] = true, true
		site, _ := strings.CutSuffix(strings.TrimRight(l.BaseURL, "/"), "?"+call.RouteParam+"=")
		wrong(!absolute(site), "language %q: BaseURL %q: use an absolute http or https address, or one that ends in ?%s=", l.Tag, l.BaseURL,
			call.RouteParam)
		wrong(l.SiteURL != "" && !absolute(l.SiteURL), "language %q: SiteURL %q: use an absolute http or https address", l.Tag, l.SiteURL)
	}
	wrong(s.DefaultLanguage != "" && !seen[s.DefaultLanguage], "Site.DefaultLanguage %q is not one of Languages", s.DefaultLanguage)
	if len(errs) > 0 {
		return fmt.Errorf("options: %w", errors.Join(errs...))
	}
	return nil
}

// absolute reports whether an address is an absolute http or https URL without a query and fragment.
func absolute(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.RawQuery == "" && u.Fragment == ""
}
