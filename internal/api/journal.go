package api

import (
	"context"
	"time"

	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/follow"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/followstore"
)

// Covered is what the journal of a site covers: the rows in which the resources are stored, and the settings that
// answers show.
type Covered struct {
	Store  *store.Store
	Site   *site.Cache
	Settle time.Duration
	Events *event.UseCases // set before the first comparison
}

// Comparison returns what is compared.
func (v *Covered) Comparison(ctx context.Context) (*follow.Comparison, error) {
	shown := func(ctx context.Context, options followstore.ReadOptions) ([]byte, error) {
		s, err := v.storedSettings(ctx, options)
		if err != nil {
			return nil, err
		}
		return s.Shown()
	}
	j := &follow.Comparison{Store: v.Store, Settle: v.Settle, Settings: shown}
	for _, kind := range v.Events.Resources() {
		j.Kinds = append(j.Kinds, kind.Journaled(v.Events.Service.Content.Taxonomies))
	}
	j.Kinds = append(j.Kinds, item.StoredImages())
	settings, err := v.Site.Settings(store.Outside(ctx)) // the custom fields do not depend on the options of this calendar
	if err != nil {
		return nil, err
	}
	j.Custom = map[string][]string{}
	for _, f := range settings.CustomFields {
		j.Custom[v.Events.Collection] = append(j.Custom[v.Events.Collection], f.Name)
	}
	return j, nil
}

// storedSettings parses the site's settings as they are stored, without the options of this calendar: processes with
// different options share the journal.
func (v *Covered) storedSettings(ctx context.Context, options followstore.ReadOptions) (*site.Settings, error) {
	stored := &site.Cache{Options: options, Prefix: v.Site.Prefix, UserStyles: v.Site.UserStyles,
		Languages: v.Site.Languages, EveryKind: v.Site.EveryKind}
	return stored.Settings(store.Outside(ctx))
}
