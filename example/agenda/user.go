package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/sqlite"
	"github.com/agendahq/agenda/example/internal/users"
	"github.com/agendahq/agenda/schema"
)

// userFlags are the flags of the commands on users; each has some of them.
type userFlags struct {
	settings
	account users.Account
	name    string // of an application password
}

func (u *userFlags) set(command string) *flag.FlagSet {
	f := newFlags("user " + command)
	u.databaseFlags(f)
	if command == "list" {
		return f
	}
	f.StringVar(&u.account.Login, "login", "", "name of the user")
	f.StringVar(&u.name, "name", "Agenda", "name by which the site lists the application password (default Agenda)")
	if command == "add" {
		f.StringVar(&u.account.Email, "email", "", "e-mail address of the user")
		f.StringVar(&u.account.Role, "role", "", "role of the user, one of the site's: administrator, editor, author …")
	}
	return f
}

// manageUsers runs "user add", "user password" and "user list".
func manageUsers(ctx context.Context, args []string, out, _ io.Writer) error {
	run := map[string]func(context.Context, *users.Site, *userFlags, io.Writer) error{
		"add": addUser, "password": addPassword, "list": listUsers,
	}
	command := ""
	if len(args) > 0 {
		command = args[0]
	}
	switch {
	case command == "-h" || command == "-help" || command == "--help":
		_, err := fmt.Fprintln(out, "usage: agenda user add|password|list [flags]\n"+
			"  add       add a user, and print an application password\n"+
			"  password  give a user one more application password, and print it\n"+
			"  list      list the users\n"+
			"\"agenda user COMMAND -h\" lists the flags of a command.")
		return err
	case run[command] == nil:
		return usageError{fmt.Errorf("user %q: use \"agenda user add\", \"user password\" or \"user list\"", command)}
	}
	var u userFlags
	if err := parse(u.set(command), args[1:], out); err != nil {
		return err
	}
	db, err := u.openSite(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	site, err := users.Open(db, u.prefix)
	if err != nil {
		return err
	}
	err = run[command](ctx, site, &u, out)
	var mistake users.Mistake
	if errors.As(err, &mistake) {
		return usageError{mistake}
	}
	if err != nil {
		return fmt.Errorf("user %s: %w", command, err)
	}
	return nil
}

// openSite opens a database that has a site in it.
func (s *settings) openSite(ctx context.Context) (db *bun.DB, err error) {
	if !schema.ValidPrefix(s.prefix) {
		return nil, badPrefix(s.prefix)
	}
	switch {
	case s.dsn != "":
		db, err = openMySQL(ctx, s.dsn, mysqlUse{})
	case s.data == sqlite.Memory:
		return nil, usageError{errors.New("-data :memory: has no users: name a directory, or a database with -dsn")}
	default:
		file := filepath.Join(s.data, sqlite.FileName)
		if _, err := os.Stat(file); err != nil {
			return nil, usageError{fmt.Errorf("there is no database %s: start the server once, or name another with -data or -dsn", file)}
		}
		if db, err = sqlite.OpenFile(ctx, file); err != nil {
			err = usageError{fmt.Errorf("-data %s: %w", s.data, err)}
		}
	}
	if err != nil {
		return nil, err
	}
	report, err := schema.Check(ctx, db, s.prefix)
	if err == nil {
		err = report.Err()
	}
	if err != nil {
		_ = db.Close()
		return nil, usageError{err}
	}
	return db, nil
}

func addUser(ctx context.Context, site *users.Site, u *userFlags, out io.Writer) error {
	plain, err := site.Add(ctx, u.account, u.name, time.Now())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s was added. The application password, which is not shown again:\n%s\n", u.account.Login, plain)
	return err
}

func addPassword(ctx context.Context, site *users.Site, u *userFlags, out io.Writer) error {
	if u.account.Login == "" {
		return users.Mistake("-login is missing: name the user")
	}
	plain, err := site.AddPassword(ctx, u.account.Login, u.name, time.Now())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "The new application password of %s, which is not shown again:\n%s\n", u.account.Login, plain)
	return err
}

func listUsers(ctx context.Context, site *users.Site, _ *userFlags, out io.Writer) error {
	all, err := site.List(ctx)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "LOGIN\tE-MAIL\tROLES\tPASSWORDS\tLAST USED")
	for _, u := range all {
		count, used := strconv.Itoa(u.Passwords), "never"
		if u.Passwords < 0 {
			count, used = "unreadable", "unknown"
		}
		if !u.LastUsed.IsZero() {
			used = u.LastUsed.UTC().Format("2006-01-02 15:04 UTC")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", printable(u.Login), printable(u.Email), printable(strings.Join(u.Roles, ", ")), count, used)
	}
	return w.Flush()
}

// printable makes a stored text fit for a column of a terminal.
func printable(s string) string {
	if s == "" {
		return "-"
	}
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, s)
}
