package main

import (
	"errors"
	"os"

	"github.com/pelletier/go-toml/v2"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/internal/cli"
)

const fieldsUsage = "File with your own fields and filters, described in docs/hosts.md (default none)"

// readDeclarations reads the file of --fields, or nothing if path is "". The file contains tables [[field]] with the
// members of a calendar.Field, and [[filter]] with those of a calendar.Filter.
func readDeclarations(path string) (declared declarations, err error) {
	if path == "" {
		return declared, nil
	}
	file, err := os.Open(path)
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
			return declared, cli.Usagef("--fields %s:\n%s", path, unknown.String())
		case errors.As(err, &place):
			return declared, cli.Usagef("--fields %s:\n%s", path, place.String())
		}
		return declared, cli.Usagef("--fields %s: %w", path, err)
	}
	return declared, nil
}

// declarations is the content of the file of --fields.
type declarations struct {
	Field  []calendar.Field  `toml:"field"`
	Filter []calendar.Filter `toml:"filter"`
}
