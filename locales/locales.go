// Package locales holds the texts of the calendar, descriptions and messages,
// in English, Dutch and French.
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

// Bundle returns a new bundle with the texts of all languages; English stands
// in for texts that a language lacks.
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
