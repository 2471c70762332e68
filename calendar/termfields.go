package calendar

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agendahq/agenda/schema"
)

// checkTermMeta returns an error if categories or tags have fields, but the site has no table for them, or the account
// at the database may not write it.
func (o *Options) checkTermMeta(ctx context.Context, report schema.Report, readOnly bool) error {
	if !o.declared().TermFields() {
		return nil
	}
	if table := o.Site.Prefix + "termmeta"; slices.Contains(report.Optional, table) {
		return fmt.Errorf("fields of categories and tags: the table %s is missing, or the account may not read it", table)
	}
	if readOnly {
		return nil
	}
	missing, err := schema.MissingTermMetaRights(ctx, o.DB, o.Site.Prefix)
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("fields of categories and tags: the database account lacks %s", strings.Join(missing, ", "))
	}
	return err
}
