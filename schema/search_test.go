package schema_test

import (
	"net/url"
	"strings"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

func TestCheckSearchIndex(t *testing.T) {
	db := testdb.SiteA(t)
	err := schema.CheckSearchIndex(t.Context(), db, "wp_")
	if err == nil || !strings.Contains(err.Error(),
		"ALTER TABLE `wp_posts` ADD FULLTEXT INDEX `agenda_search` (`post_title`,`post_excerpt`,`post_content`)") {
		t.Fatal(err)
	}
	_, statements, _ := strings.Cut(err.Error(), "with ")
	runAll(t, testdb.Reopen(t, db, testdb.WithSQLMode(testdb.MySQL8)), strings.Split(statements, "; "))
	must.Succeed(t, schema.CheckSearchIndex(t.Context(), db, "wp_"))
	for _, f := range diagnose(t, db, "wp_").Findings {
		if f.Check == "search" && !strings.Contains(f.Text, `"agenda_search" can answer`) {
			t.Errorf("%+v", f)
		}
	}
	if err := schema.CheckSearchIndex(t.Context(), db, "blog7_"); err == nil || !strings.Contains(err.Error(), "`blog7_posts`") {
		t.Errorf("another site: %v", err)
	}
}

// TestCheckSearchIndexOnOtherServers checks servers that exclude other words than by default: a search for one of them
// would find nothing.
func TestCheckSearchIndexOnOtherServers(t *testing.T) {
	db := testdb.SiteA(t)
	runAll(t, testdb.OfOthers(t, db), []string{
		"ALTER TABLE wp_posts ADD FULLTEXT INDEX words (post_excerpt, post_title, post_content)",
		"CREATE TABLE leftout (value varchar(18)) ENGINE=InnoDB",
	})
	var name string
	must.Succeed(t, db.NewRaw("SELECT DATABASE()").Scan(t.Context(), &name))
	other := testdb.Reopen(t, db, testdb.WithDSNParams("innodb_ft_user_stopword_table="+url.QueryEscape("'"+name+"/leftout'")))
	if err := schema.CheckSearchIndex(t.Context(), other, "wp_"); err == nil || !strings.Contains(err.Error(),
		name+"/leftout") || !strings.Contains(err.Error(), `"words"`) {
		t.Errorf("%v", err)
	}
	must.Succeed(t, schema.CheckSearchIndex(t.Context(), db, "wp_"))
	runAll(t, db, []string{"DROP TABLE wp_posts"})
	if err := schema.CheckSearchIndex(t.Context(), db, "wp_"); err == nil {
		t.Error("no table, and no error")
	}
}
