package main

import (
	"errors"
	"os"

	"github.com/pelletier/go-toml/v2"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/internal/cli"
)

const fieldsUsage = "file with fields of your own of events, venues and organizers, as docs/hosts.md describes (default none)"

// ownFields reads the file of --fields: tables [[field]] with the members of a calendar.Field.
func (s *settings) ownFields() ([]calendar.Field, error) {
	if s.fields == "" {
		return nil, nil
	}
	file, err := os.Open(s.fields)
	if err != nil {
		return nil, cli.Usagef("--fields: %w", err)
	}
	defer func() { _ = file.Close() }()
	var declared struct {
		Field []calendar.Field `toml:"field"`
	}
	d := toml.NewDecoder(file)
	d.DisallowUnknownFields()
	if err := d.Decode(&declared); err != nil {
		var unknown *toml.StrictMissingError
		var place *toml.DecodeError
		switch {
		case errors.As(err, &unknown):
			return nil, cli.Usagef("--fields %s:\n%s", s.fields, unknown.String())
		case errors.As(err, &place):
			return nil, cli.Usagef("--fields %s:\n%s", s.fields, place.String())
		}
		return nil, cli.Usagef("--fields %s: %w", s.fields, err)
	}
	return declared.Field, nil
}
