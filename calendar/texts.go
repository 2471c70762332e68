package calendar

import (
	"log/slog"

	"github.com/nicksnyder/go-i18n/v2/i18n"

	"github.com/agendahq/agenda/internal/rest"
)

// texts gives the texts of one language.
type texts struct {
	localizer *i18n.Localizer
	logger    *slog.Logger
}

// Text returns the text of a message id; the id itself if there is no text.
func (t texts) Text(id string, data map[string]any) string {
	text, err := t.localizer.Localize(&i18n.LocalizeConfig{MessageID: id, TemplateData: data})
	if text == "" {
		t.logger.Error("no text", "id", id, "error", err)
		return id
	}
	return text
}

func translators(bundle *i18n.Bundle, languages []Language, logger *slog.Logger) map[string]rest.Translator {
	m := make(map[string]rest.Translator, len(languages))
	for _, l := range languages {
		m[l.Tag] = texts{i18n.NewLocalizer(bundle, l.Tag), logger}
	}
	return m
}
