package api

import (
	"strconv"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/rest"
)

// Local describes a use case to the engine, for a call in the process. languageParam is the name of the parameter for the
// language of texts.
func (a *Adapter) Local(u registry.Use, languageParam string) rest.Local {
	o := a.Operations(u.Collection)
	l := rest.Local{Path: param.NewMap(), Query: param.NewMap()}
	switch u.Verb {
	case registry.List:
		l.Operation, l.Strict = o.List, true
	case registry.Create:
		l.Operation = o.Create
	case registry.Update:
		l.Operation = o.Item.Update
	case registry.Delete:
		l.Operation = o.Item.Delete
	}
	if u.Verb == registry.List && u.Values != nil {
		l.Query = u.Values
	} else {
		l.Body = u.Values
	}
	if u.Verb == registry.Update || u.Verb == registry.Delete {
		l.Path.Set("id", strconv.FormatInt(u.ID, 10))
	}
	if u.Language != "" {
		l.Query.Set(languageParam, a.Service.Content.Languages.Coded(u.Language).Tag)
	}
	return l
}
