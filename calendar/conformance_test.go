package calendar_test

import (
	"testing"

	"github.com/agendahq/agenda/internal/suite"
	"github.com/agendahq/agenda/internal/testdb"
)

func TestRecordedReads(t *testing.T) { suite.RecordedReads(t, testdb.SiteA(t)) }

func TestRecordedWrites(t *testing.T) { suite.RecordedWrites(t, testdb.SiteA(t)) }
