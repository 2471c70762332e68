package content

import (
	"context"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/sourcestore"
	"github.com/agendahq/agenda/schema"
)

// Origin is what the import of an item stores in addition to what a request can set.
type Origin struct {
	// UID identifies the item in the source that it was imported from; "" stores none. Source is that source; one
	// without a Name is not stored.
	UID    string
	Source sourcestore.Source

	Adopted bool // the item existed here before it did in the source

	Password string              // "" keeps the stored one
	Slug     string              // of a type whose requests have no slug; "" for one made from the title
	Rows     map[string][]string // meta rows that requests cannot set, by key
}

// applyTo sets the origin of an imported item in its edit.
func (o *Origin) applyTo(ctx context.Context, d *Edit) {
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
