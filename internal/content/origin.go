package content

import (
	"context"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// Origin is what the import of an item stores besides what a write takes.
type Origin struct {
	// UID names the item where it was brought from, "" for what is not stored. Source is
	// where that is, without a Name for what is not stored.
	UID    string
	Source store.Source

	Adopted bool // it was there before the source had it

	Password string              // "" keeps the stored one
	Slug     string              // of a kind whose writes take none; "" for that of the title
	Rows     map[string][]string // meta rows that no write takes, by key
}

// put puts the origin of an imported item into its edit.
func (o *Origin) put(ctx context.Context, d *Edit) {
	if o.UID != "" {
		d.Set(schema.MetaSourceUID, o.UID)
	}
	if o.Source.Name != "" {
		d.Set(schema.MetaSource, o.Source.Name)
		if o.Source.ID != "" {
			d.Set(schema.MetaSourceID, o.Source.ID)
		}
	}
	if o.Adopted {
		d.Set(schema.MetaAdopted, "1")
	}
	if o.Password != "" {
		d.Row.Password = o.Password
	}
	if slug := site.From(ctx).Slug(o.Slug); slug != "" && slug != d.Row.Name && d.New() {
		d.Row.Name, d.slugSet = slug, true
	}
	for _, key := range slices.Sorted(maps.Keys(o.Rows)) {
		if values := o.Rows[key]; !slices.Equal(values, d.Meta(key)) {
			d.Set(key, values...)
		}
	}
}
