package event_test

import (
	"os"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/conformance"
	"github.com/agendahq/agenda/internal/suite"
	"github.com/agendahq/agenda/internal/testdb"
)

func TestZZConf(t *testing.T) {
	db := testdb.SiteA(t)
	o := conformance.Options{Handler: suite.Handler(t, calendar.Options{DB: db}), Root: suite.Root, Corpus: "writes_a", SQL: db.DB}
	if g := os.Getenv("GROUPS_"); g != "" {
		o.Groups = strings.Split(g, ",")
	}
	res, err := conformance.Replay(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(res.Report(60))
}
