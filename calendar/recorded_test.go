package calendar_test

import (
	"testing"

	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

func TestRecordedReads(t *testing.T) {
	t.Parallel()
	contract.RecordedReads(t, testdb.SiteA(t))
}

func TestRecordedWrites(t *testing.T) {
	t.Parallel()
	contract.RecordedWrites(t, testdb.SiteA(t))
}
