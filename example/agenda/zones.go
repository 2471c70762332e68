package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/zonedata"
	"github.com/agendahq/agenda/schema"
)

// subjectZones is the value of doctor's --run that recomputes UTC times.
const subjectZones = "zones"

// zoneDataFinding reports which time zone data the program uses.
func zoneDataFinding() schema.Finding { return judgeZoneData(zonedata.Used(), zonedata.Built()) }

func judgeZoneData(used zonedata.Data, built string) schema.Finding {
	f := schema.Finding{
		Section: "Server", Check: "zone data", Level: schema.OK,
		Text: fmt.Sprintf("release %s of the time zone database, in %s", used.Release, used.Place),
	}
	if zonedata.Older(used.Release, built) {
		f.Level = schema.Warning
		f.Text += fmt.Sprintf(", is older than the one that this program was built with, %s", built)
		f.Advice = "update the system's zone data (on Debian the package tzdata), restart the server, then run agenda doctor again"
	}
	return f
}

// repairZones recomputes UTC times that do not match their local times, and prints each.
func (s *examination) repairZones(ctx context.Context, db *bun.DB, out io.Writer) error {
	used, n := zonedata.Used(), 0
	var printed error
	left, err := schema.RepairZones(ctx, db, s.Prefix, schema.DefaultNames(), func(changed []schema.ZoneChange) {
		n += len(changed)
		for _, c := range changed {
			_, err := fmt.Fprintf(out, "event %d: %s %s begins at %s UTC, not %s; ends at %s UTC, not %s\n", c.Post, c.Start, c.Zone,
				c.StartUTC, c.WasStartUTC, c.EndUTC, c.WasEndUTC)
			printed = errors.Join(printed, err)
		}
	})
	_, last := fmt.Fprintf(out, "Dates computed again with release %s of the time zone database, in %s: %d\n", used.Release, used.Place, n)
	if left > 0 {
		_, err := fmt.Fprintf(out, "Events left unchanged, because other software computes their dates: %d\n", left)
		last = errors.Join(last, err)
	}
	if err != nil {
		return fmt.Errorf("doctor: only what is printed above was changed: %w", err)
	}
	return errors.Join(printed, last)
}
