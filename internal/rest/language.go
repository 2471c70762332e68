package rest

// chooseLanguage takes the language of texts and items from the parameters of languages; an unknown
// one is refused later with the other parameters.
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

// ItemLanguage is a language that ItemParam chooses, or all of them.
type ItemLanguage struct {
	Code string // under which it is stored, or caller.AllLanguages
	Tag  string // of its texts, "" where it has none
}
