package main

import (
	"errors"
	"os"

	"github.com/pelletier/go-toml/v2"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/internal/cli"
)

const fieldsUsage = "file with fields and filters of your own, as docs/hosts.md describes (default none)"

// ownFields reads the file of --fields: tables [[field]] with the members of a calendar.Field, and [[filter]] with those of a
// calendar.Filter.
func (s *settings) ownFields() (declared declarations, err error) {
	if s.fields == "" {
		return declared, nil
	}
	file, err := os.Open(s.fields)
	if err != nil {
		return declared, cli.Usagef("--fields: %w", err)
	}
	defer func() { _ = file.Close() }()
	d := toml.NewDecoder(file)
	d.DisallowUnknownFields()
	if err := d.Decode(&declared); err != nil {
		var unknown *toml.StrictMissingError
		var place *toml.DecodeError
		switch {
		case errors.As(err, &unknown):
			return declared, cli.Usagef("--fields %s:\n%s", s.fields, unknown.String())
		case errors.As(err, &place):
			return declared, cli.Usagef("--fields %s:\n%s", s.fields, place.String())
		}
		return declared, cli.Usagef("--fields %s: %w", s.fields, err)
	}
	return declared, nil
}

// declarations are what the file of --fields has.
type declarations struct {
	Field  []calendar.Field  `toml:"field"`
	Filter []calendar.Filter `toml:"filter"`
}
