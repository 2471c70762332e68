package followstore

import (
	"context"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// partSet is a set of the parts of a fingerprint: bit i is part i.
type partSet uint

const everyPart = partSet(1)<<parts - 1

func (s partSet) has(part int) bool { return s&(1<<part) != 0 }

// within returns the parts that some tables contain about the items of a kind.
func (f *fingerprints) within(k Stored, tables change.Tables) (s partSet) {
	holds := func(part int, list ...store.Table) {
		for _, t := range list {
			if tables&t.Set() != 0 {
				s |= 1 << part
			}
		}
	}
	switch {
	case k.Type == "":
		holds(partRow, store.TableTerms, store.TableTermTaxonomy)
		holds(partMeta, store.TableTermMeta)
	default:
		holds(partRow, store.TablePosts)
		holds(partMeta, store.TablePostMeta)
		if len(k.Taxonomies) > 0 {
			holds(partTerms, store.TableTermRelationships, store.TableTermTaxonomy)
		}
	}
	if k.Dates {
		holds(partOccurrences, store.TableOccurrences)
		holds(partEvents, store.TableEvents)
	}
	if k.Tickets {
		holds(partTickets, store.TablePosts, store.TablePostMeta)
	}
	if k.Languages && f.form == store.TableForm {
		holds(partLanguage, store.TableTranslations)
		if k.Type == "" {
			holds(partLanguage, store.TableTermTaxonomy)
		}
	}
	if k.Languages && f.form == store.TermsForm {
		holds(partLanguage, store.TableTermRelationships, store.TableTermTaxonomy, store.TableTerms)
	}
	if k.Shown && s != 0 { // images that items begin to show may be older than what was written
		s |= 1 << partRow
	}
	return s
}

// differing returns the ids of items of which a set of parts differs from their known states. Each part is a separate
// statement, because a UNION would copy all rows; changes between the statements are compared again before they are
// recorded, or by the next comparison.
func (f *fingerprints) differing(
	ctx context.Context, j *Journal, k Stored, ids []int64, known map[int64]*schema.JournalObject, of partSet,
) (differ []int64, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	var rows []stateRow
	for _, part := range f.parts(k, ids, false, of) {
		list, err := f.rows(ctx, j.siteConn(j.own.DB), []*store.Query{part})
		if err != nil {
			return nil, err
		}
		rows = append(rows, list...)
	}
	found, exists := map[int64]*[parts]string{}, map[int64]bool{}
	for _, r := range rows {
		if found[r.ID] == nil {
			found[r.ID] = new([parts]string)
		}
		found[r.ID][r.Part] = strings.ToLower(r.Fingerprint)
		exists[r.ID] = exists[r.ID] || r.Part == partRow
	}
	for _, id := range ids {
		was := known[id]
		if was == nil || of.has(partRow) && !exists[id] {
			if was != nil || exists[id] {
				differ = append(differ, id)
			}
			continue
		}
		is := found[id]
		if is == nil {
			is = new([parts]string)
		}
		for part, print := range strings.Split(was.Fingerprint, ".") {
			if part < parts && of.has(part) && print != is[part] {
				differ = append(differ, id)
				break
			}
		}
	}
	slices.Sort(differ)
	return slices.Compact(differ), nil
}
