package contract

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/test/replay"
	"github.com/agendahq/agenda/schema"
)

// RecordedBeside is a recording of a site on which another plugin is active.
type RecordedBeside struct {
	Corpus        string
	Site, Variant string // arguments of testdb.SiteBeside
	compared      int
	otherwise     []decided
}

// likeNames returns the difference that terms with the same name are ordered by id (D32).
func likeNames(lines ...int) []decided {
	return []decided{{"D32", lines, `^json\.categories\[[12]\]\.`, "26"}}
}

// ownDraftsAlone is the difference of D7: a list without a status filter contains no drafts of other authors, even for
// users who may edit them.
var ownDraftsAlone = []decided{{"D7", []int{45}, `^(json\.(events|total)|header x-tec-total)$`, "["}}

// Beside contains all recordings of sites on which other plugins are active.
var Beside = []RecordedBeside{
	{Corpus: "reads_migration_prompt", Site: "migration", Variant: "migration-prompt", compared: 27},
	{Corpus: "reads_migration_half", Site: "migration", Variant: "migration-half", compared: 27},
	{Corpus: "reads_migration_failed", Site: "migration", Variant: "migration-failed", compared: 27},
	{Corpus: "reads_migration_complete", Site: "migration", Variant: "migration-complete", compared: 27},
	{Corpus: "reads_migration_none", Site: "migration", Variant: "migration-none", compared: 27},
	{Corpus: "writes_migration_prompt", Site: "migration", Variant: "migration-prompt", compared: 9},
	{Corpus: "writes_migration_half", Site: "migration", Variant: "migration-half", compared: 9},
	{Corpus: "writes_migration_complete", Site: "migration", Variant: "migration-complete", compared: 9},
	{Corpus: "writes_migration_none", Site: "migration", Variant: "migration-none", compared: 9},
	{Corpus: "reads_network", Site: "network", compared: 61, otherwise: ownDraftsAlone},
	{Corpus: "writes_network", Site: "network", compared: 22},
	{Corpus: "reads_network_subdomain", Site: "network_subdomain", compared: 61, otherwise: ownDraftsAlone},
	{Corpus: "writes_network_subdomain", Site: "network_subdomain", compared: 23},
	{Corpus: "reads_polylang_directory", Site: "polylang", compared: 59, otherwise: likeNames(39)},
	{Corpus: "reads_polylang_content", Site: "polylang", Variant: "polylang-content", compared: 59},
	{Corpus: "reads_polylang_domains", Site: "polylang", Variant: "polylang-domains", compared: 59},
	{Corpus: "reads_polylang_subdomains", Site: "polylang", Variant: "polylang-subdomains", compared: 59},
	{Corpus: "reads_polylang_untranslated", Site: "polylang", Variant: "polylang-untranslated", compared: 35, otherwise: likeNames(3, 21)},
	{Corpus: "reads_polylang_inactive", Site: "polylang", Variant: "polylang-inactive", compared: 11, otherwise: likeNames(3)},
	{Corpus: "writes_polylang", Site: "polylang", compared: 25},
	{Corpus: "reads_tickets", Site: "tickets", compared: 68, otherwise: []decided{
		{"D51", []int{57}, `^(json\.total|header x-tec-total)$`, "29"},
		{"tickets of one place by id, as in all other answers", []int{7}, `^json\.json_ld\.offers\[\d\]\.price$`, "1000"},
	}},
	{Corpus: "reads_tickets_eur", Site: "tickets", Variant: "tickets-eur", compared: 16},
	{Corpus: "reads_tickets_off", Site: "tickets", Variant: "tickets-off", compared: 8},
	{Corpus: "reads_tickets_inactive", Site: "tickets", Variant: "tickets-inactive", compared: 8},
	{Corpus: "writes_tickets", Site: "tickets", compared: 25},
}

// Replay replays the recording on a database with the site.
func (r RecordedBeside) Replay(t *testing.T, db *bun.DB) {
	opts, site, without := calendar.Options{DB: db}, Site, []string{"language", "translations", "attendance"}
	switch r.Site {
	case "polylang": // its default language is Dutch
		opts.Languages = []calendar.Language{
			{Tag: "nl", BaseURL: Site + "/wp-json"}, {Tag: "en", BaseURL: Site + "/en/wp-json"}, {Tag: "fr", BaseURL: Site + "/fr/wp-json"},
		}
	case "tickets": // D96: the true times, where Event Tickets prints local times as UTC
		without = append(without, "validFrom", "validThrough")
	case "network":
		opts.Site.Prefix, site = "wp_2_", Site+"/second"
	case "network_subdomain":
		opts.Site.Prefix, site = "wp_2_", "http://second.site.test"
	}
	replayed := replay.Options{Handler: Handler(t, opts), Root: Root, Corpus: "beside/" + r.Corpus, Site: site, Prefix: opts.Site.Prefix,
		Added: added(), Without: without}
	if strings.HasPrefix(r.Corpus, "writes") {
		replayed.SQL = db.DB
		// Rows of relationships identify posts and terms in the same column, so an id must belong to only one of them,
		// as on the recorded site.
		others := ofOthers(t, db)
		for table, next := range map[string]int{"posts": 500001, "terms": 700001, "term_taxonomy": 700001} {
			must.Get(others.ExecContext(t.Context(), fmt.Sprintf("ALTER TABLE %s%s AUTO_INCREMENT = %d",
				cmp.Or(opts.Site.Prefix, schema.DefaultPrefix), table, next)))(t)
		}
	}
	result := must.Get(replay.Run(context.Background(), replayed))(t)
	otherwise(t, result, r.compared, r.otherwise)
}

// RecordedWrites replays the recorded writes on a database with the recorded site. Every compared response must match,
// and every row that was recorded after a write.
func RecordedWrites(t *testing.T, db *bun.DB) {
	result := must.Get(replay.Run(context.Background(), replay.Options{
		Handler: Handler(t, calendar.Options{DB: db}), Root: Root, Corpus: "writes_a", SQL: db.DB, Added: added(),
	}))(t)
	otherwise(t, result, 292, []decided{
		// The update of line 171 did not contain the event's website, so it stays as created by line 170: the URL of
		// the event's page. The Events Calendar emptied it.
		{"D14", []int{195}, `^json\.website$`, Site + "/?post_type=tribe_events&p="},
		// A draft that was given a date has it in UTC too, and keeps it in the trash.
		{"D54", []int{200, 224, 244, 268}, `^(json|rows\.post)\.(post_)?(date|modified)(_utc|_gmt)?$`, ""},
	})
}
