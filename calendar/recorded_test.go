package calendar_test

import (
	"testing"

	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

func TestRecordedReads(t *testing.T) { contract.RecordedReads(t, testdb.SiteA(t)) }

func TestRecordedWrites(t *testing.T) { contract.RecordedWrites(t, testdb.SiteA(t)) }
