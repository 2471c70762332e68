// Package locales holds the texts of the calendar, descriptions and messages, one
// file for each language: active.en.toml is the English one.
//
// A text with a number in it has the plural forms of its language ("one", "other", in
// French also "many"). The calendar replaces names in {{.…}}. A host that adds a
// language or changes texts passes a bundle with the same ids: see
// calendar.Options.Texts.
package locales

import (
	"embed"
	"fmt"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"github.com/pelletier/go-toml/v2"
	"golang.org/x/text/language"
)

//go:embed active.*.toml
var files embed.FS

// Bundle returns the texts of all languages in a new bundle, to which a host may
// add; English is its default language.
func Bundle() (*i18n.Bundle, error) {
	b := i18n.NewBundle(language.English)
	b.RegisterUnmarshalFunc("toml", toml.Unmarshal)
	entries, err := files.ReadDir(".")
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if _, err := b.LoadMessageFileFS(files, e.Name()); err != nil {
			return nil, fmt.Errorf("locales: %s: %w", e.Name(), err)
		}
	}
	return b, nil
}
