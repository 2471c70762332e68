package rest

// chooseLanguage sets the language of texts and items from the parameters of languages. An unknown language is rejected
// later with the other parameters.
func (c *request) chooseLanguage() {
	e, named := c.engine, false
	if v, ok := option(c.src, e.LanguageParam); ok && e.LanguageParam != e.ItemParam {
		tag, _ := v.(string)
		if named = e.Texts[tag] != nil; named {
			c.Language, c.Text = tag, e.Texts[tag]
		}
	}
	if e.ItemParam == "" || c.Root.Named {
		return
	}
	v, _ := option(c.src, e.ItemParam)
	name, _ := v.(string)
	switch l, known := e.ItemLanguages[name]; {
	case !known:
	case named || e.Texts[l.Tag] == nil:
		c.Items = l.Code
	default:
		c.Language, c.Text, c.Items = l.Tag, e.Texts[l.Tag], ""
	}
}

// ItemLanguage is a language, or all languages, that the parameter ItemParam can select.
type ItemLanguage struct {
	Code string // the stored code, or caller.AllLanguages
	Tag  string // of its texts, "" if there are none
}
