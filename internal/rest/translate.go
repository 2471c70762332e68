package rest

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

// texts returns the messages of one language.
type texts struct {
	language string
	sources  func() localizers
	logger   *slog.Logger
	logged   sync.Map // ids of messages about which something was logged
}

// localizers are those of a language, best first, and those of English.
type localizers struct{ own, english []*i18n.Localizer }

// Translators returns the messages of each language, by language tag. A message is taken from the first bundle that
// contains it; nil is an empty bundle. The bundles are asked for with the first message.
func Translators(tags []string, logger *slog.Logger, bundles func() []*i18n.Bundle) map[string]Translator {
	m, all := make(map[string]Translator, len(tags)), sync.OnceValue(bundles)
	for _, tag := range tags {
		m[tag] = &texts{language: tag, logger: logger, sources: sync.OnceValue(func() (found localizers) {
			for _, b := range all() {
				found.own = append(found.own, sources(b, language.Make(tag))...)
				found.english = append(found.english, sources(b, language.English)...)
			}
			return found
		})}
	}
	return m
}

// sources returns localizers for a language in a bundle, and for the more general languages of which it is a variety.
func sources(b *i18n.Bundle, tag language.Tag) (list []*i18n.Localizer) {
	if b == nil {
		return nil
	}
	tags := b.LanguageTags()
	matcher := language.NewMatcher(tags) // the bundle's own matcher follows the same rules
	known := map[language.Tag]bool{}
	for ; !tag.IsRoot(); tag = tag.Parent() {
		_, i, confidence := matcher.Match(tag)
		if confidence < language.High || known[tags[i]] {
			continue
		}
		known[tags[i]] = true
		list = append(list, i18n.NewLocalizer(b, tag.String()))
	}
	return list
}

// Text returns the message with an id: in the language, otherwise in English, otherwise the id itself.
func (t *texts) Text(id string, data map[string]any) string {
	c := &i18n.LocalizeConfig{MessageID: id, TemplateData: data, PluralCount: count(data)}
	all := t.sources()
	if text := t.first(all.own, c); text != "" {
		return text
	}
	text := t.first(all.english, c)
	switch {
	case text == "":
		t.once(slog.LevelError, id, nil)
		return id
	case len(all.own) > 0: // a language without any messages uses English intentionally
		t.once(slog.LevelWarn, id, nil)
	}
	return text
}

// first returns the message from the first source that contains it, or "" if none does.
func (t *texts) first(sources []*i18n.Localizer, c *i18n.LocalizeConfig) string {
	for _, s := range sources {
		var none *i18n.MessageNotFoundErr
		switch text, err := s.Localize(c); {
		case errors.As(err, &none): // also set if the message was found in the bundle's default language
		case text != "": // an error means that a plural form is missing; the general form is used
			return text
		case err != nil:
			t.once(slog.LevelError, c.MessageID, err)
		}
	}
	return ""
}

// once logs that a message is missing or broken, but only the first time.
func (t *texts) once(level slog.Level, id string, err error) {
	if _, known := t.logged.LoadOrStore(id, true); !known {
		args := []any{"id", id, "language", t.language}
		if err != nil {
			args = append(args, "error", err)
		}
		t.logger.Log(context.Background(), level, "text is missing or broken", args...)
	}
}

// count returns the number that determines the plural form: Count, or else Max. Messages without plural forms ignore
// it.
func count(data map[string]any) any {
	for _, name := range []string{"Count", "Max"} {
		switch n := data[name].(type) {
		case int, int64:
			return n
		}
	}
	return nil
}
