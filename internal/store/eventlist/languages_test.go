package eventlist

import (
	"slices"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/test/must"
)

// speak stores languages in each form: two of five events have a language, and one of three of these is in Dutch.
var speak = map[store.Form]func(*testing.T, *bun.DB){
	store.TableForm: func(t *testing.T, db *bun.DB) {
		execute(t, db, "CREATE TABLE wp_icl_translations (translation_id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, "+
			"element_type varchar(60) NOT NULL, element_id bigint, trid bigint NOT NULL, language_code varchar(7) NOT NULL, "+
			"source_language_code varchar(7), UNIQUE KEY el_type_id (element_type, element_id))")
		execute(t, db, "INSERT INTO wp_icl_translations (element_type, element_id, trid, language_code) "+
			"SELECT CONCAT('post_', post_type), ID, ID, ELT(1 + ID % 3, 'nl', 'en', 'fr') FROM wp_posts WHERE ID % 5 > 2")
	},
	store.TermsForm: func(t *testing.T, db *bun.DB) {
		execute(t, db, "INSERT INTO wp_options (option_name, option_value) VALUES ('polylang', 'a:0:{}')")
		for i, code := range []string{"nl", "en", "fr"} {
			term := 900 + i
			execute(t, db, "INSERT INTO wp_terms (term_id, name, slug) VALUES (?, ?, ?)", term, code, code)
			execute(t, db, "INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description) VALUES (?, ?, 'language', '')",
				term, term)
			execute(t, db, "INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) SELECT ID, ? FROM wp_posts WHERE ID % 5 > 2 "+
				"AND ID % 3 = ?", term, i)
		}
	},
}

var spokenIn = []store.LanguageFilter{{Code: "nl"}, {Code: "nl", Default: true}, {Code: "en", Default: true}, {Code: "fr"}}

// TestStrategiesInALanguage checks that in a language each strategy finds the same events as the general one.
func TestStrategiesInALanguage(t *testing.T) {
	t.Parallel()
	for form, speak := range speak {
		_, db := tidied(t)
		speak(t, db)
		execute(t, db, "UPDATE wp_posts SET post_status = 'draft' WHERE ID % 11 = 0 AND post_type = 'tribe_events'")
		execute(t, db, "UPDATE wp_tec_occurrences SET start_date = '2031-01-01 00:00:00' WHERE post_id % 4 = 0")
		execute(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (33, '_EventHideFromUpcoming', 'yes'), "+
			"(34, '_EventHideFromUpcoming', 'yes')")
		s, plain := probed(t, db, translated(form)), listOf(t, db, true, translated(form))
		everything := must.Get(store.IDs(still(t), s.store.DB.Select().From(store.TablePosts, "").Column("ID")))(t)
		for _, in := range spokenIn {
			for _, f := range []Filter{
				{}, {Bounds: []Bound{{Op: ">=", Value: "2031-01-01 00:00:00"}, {End: true, Op: "<=", Value: "2032-01-01 00:00:00"}}},
				asking(AssignedTo([]int64{6, 7, 8, 9, 10, 11}, 0)),
				asking(AssignedTo([]int64{6, 7, 8, 9, 10, 11}, 20)), asking(venues(7, 8, 9, 10, 11)), asking(Featured(false)),
			} {
				f.Visible, f.Language = anyone, in
				sorted := f
				sorted.Conditions = append(slices.Clone(f.Conditions), Among(everything))
				want, err := plain.Select(&sorted).ids(still(t), 1000, 0)
				page, errPage := s.Select(&f).ids(still(t), 1000, 0)
				n, errCount := s.Select(&f).Count(still(t))
				if err != nil || errPage != nil || errCount != nil || len(want) < 3 || !slices.Equal(page, want) || n != int64(len(want)) {
					t.Errorf("%s %+v: %v %v, %d %v, want %v %v", form, f, page, errPage, n, errCount, want, err)
				}
			}
			linkedInALanguage(t, s, plain, in)
		}
	}
}

func linkedInALanguage(t *testing.T, short, long *List, in store.LanguageFilter) {
	t.Helper()
	const now = "2031-03-24 08:45:00"
	for _, postType := range []string{short.store.Config.Names.Venue, short.store.Config.Names.Organizer} {
		for name, of := range map[string]func(*List) ([]int64, error){
			"linked": func(s *List) ([]int64, error) {
				return s.store.Links.Linked(still(t), postType, store.Linked{Language: in, Visible: anyone})
			},
			"upcoming": func(s *List) ([]int64, error) {
				return s.store.Links.Linked(still(t), postType, store.Linked{Language: in, Visible: anyone, Upcoming: now})
			},
		} {
			found, err := of(short)
			want, errLong := of(long)
			slices.Sort(found)
			slices.Sort(want)
			if err != nil || errLong != nil || len(want) == 0 || !slices.Equal(found, want) {
				t.Errorf("%s %s in %v: %v %v, want %v %v", name, postType, in, found, err, want, errLong)
			}
		}
	}
}
