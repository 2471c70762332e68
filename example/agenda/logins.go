package main

import (
	"context"
	"log/slog"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/logins"
	"github.com/agendahq/agenda/schema/embedded"
)

// loginCounter returns the counter of wrong passwords that all servers on the database share, or nil if each server
// counts separately.
func (s *settings) loginCounter(ctx context.Context, db *bun.DB, log *slog.Logger) (calendar.LoginCounter, error) {
	if !s.sharedLogins {
		return nil, nil
	}
	counter, err := logins.Open(ctx, db, s.Prefix)
	if embedded.CannotWrite(err) {
		log.Warn("wrong passwords are counted only in this process: the database cannot be written", "error", err)
		return nil, nil
	}
	if err != nil {
		return nil, cli.Usagef("--shared-logins: %w", err)
	}
	return counter, nil
}
