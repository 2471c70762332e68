package schema

import (
	"context"

	"github.com/uptrace/bun"
)

// translations is the table in which WPML stores the languages of items and their groups of translations. Install does
// not create it: other sites store languages as terms, or have none.
var translations = table{name: "icl_translations", columns: []column{
	{"translation_id", autoID}, {"element_type", word(60, "post_post")}, {"element_id", idOrNull}, {"trid", required},
	{"language_code", word(7, "")}, {"source_language_code", wordOrNull(7)},
}, keys: []key{
	{name: "el_type_id", columns: []string{"element_type", "element_id"}, unique: true},
	{name: "trid_lang", columns: []string{"trid", "language_code"}, unique: true},
	{name: "trid", columns: []string{"trid"}},
	{name: "id_type_language", columns: []string{"element_id", "element_type", "language_code"}},
}}

// InstallTranslations creates the table of Translation if it does not exist. It is meant for copies of sites with WPML.
// A site with the table stores languages in it, and needs WPML's option.
func InstallTranslations(ctx context.Context, db *bun.DB, prefix string) error {
	return change(ctx, db, prefix, "install translations", func(ctx context.Context, conn bun.IDB) error {
		return createTables(ctx, conn, prefix, translations)
	})
}
