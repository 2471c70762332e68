package calendar

import (
	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"github.com/agendahq/agenda/internal/hostroute"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/rest"
)

// translators returns the messages of each language of the calendar, by language tag.
func (o *Options) translators() map[string]rest.Translator {
	tags := make([]string, len(o.Languages))
	for i, l := range o.Languages {
		tags[i] = l.Tag
	}
	return rest.Translators(tags, o.Logger, o.bundles)
}

// bundles returns all messages: those of the host, of the API, and of what the host declares.
func (o *Options) bundles() []*i18n.Bundle {
	own, err := ownTexts()
	if err != nil { // a mistake in our files, which the tests of locales find
		o.Logger.Error("the API's messages could not be read", "error", err)
	}
	return []*i18n.Bundle{o.Texts, own, o.declaredTexts()}
}

// declaredTexts returns the descriptions of Options.Fields, Filters and Routes in each language of the calendar and in
// English, or nil if there are none.
func (o *Options) declaredTexts() *i18n.Bundle {
	if len(o.Fields) == 0 && len(o.Routes) == 0 {
		return nil
	}
	bundle := i18n.NewBundle(language.English)
	add := func(id, description string, texts map[string]string) {
		for _, l := range append([]Language{{Tag: "en"}}, o.Languages...) {
			tag := language.Make(l.Tag)
			bundle.MustAddMessages(tag, &i18n.Message{ID: id, Other: inLanguage(tag, texts, description)})
		}
	}
	for _, f := range o.Fields {
		add(item.Own(f).TextID(), f.Description, f.Texts)
	}
	for _, f := range o.named() {
		add(item.OwnFilter(f).TextID(), f.Description, f.Texts)
	}
	for i := range o.Routes {
		r := &o.Routes[i]
		id := hostroute.TextID(r.Method, r.Path)
		add(id, r.Description, r.Texts)
		for _, p := range r.Params {
			add(id+"_"+p.Name, p.Description, p.Texts)
		}
		for _, p := range r.Answer {
			add(id+"_answer_"+p.Name, p.Description, p.Texts)
		}
	}
	return bundle
}
