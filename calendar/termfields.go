package calendar

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/schema"
)

// termFields reports whether categories or tags have fields of the host's own, whose meta rows must then be read.
func (o *Options) termFields() bool {
	terms := map[string]bool{}
	for _, k := range registry.Declared().Kinds() {
		terms[k.Collection] = k.Type == nil
	}
	return slices.ContainsFunc(o.Fields, func(f Field) bool { return terms[f.Kind] })
}

// checkTermMeta returns an error if categories or tags have fields, but the site has no table for them, or the account
// at the database may not write it.
func (o *Options) checkTermMeta(ctx context.Context, report schema.Report, readOnly bool) error {
	if !o.termFields() {
		return nil
	}
	if table := o.Site.Prefix + "termmeta"; slices.Contains(report.Optional, table) {
		return fmt.Errorf("options: Fields of categories and tags: the table %s is missing, or the account may not read it", table)
	}
	if readOnly {
		return nil
	}
	missing, err := schema.MissingTermMetaRights(ctx, o.DB, o.Site.Prefix)
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("options: Fields of categories and tags: the database account lacks %s", strings.Join(missing, ", "))
	}
	return err
}
