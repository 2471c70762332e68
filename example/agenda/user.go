package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/users"
)

// userFlags are the flags of the commands on users; each has some of them.
type userFlags struct {
	cli.Database
	account users.Account
	name    string // of an application password
}

func (u *userFlags) set(command string) *flag.FlagSet {
	f := cli.NewFlags("agenda user " + command)
	u.Flags(f)
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

// manageUsers are the commands on users.
var manageUsers = cli.Program{Name: "agenda user", Commands: []cli.Command{
	{Name: "add", Summary: "add a user, and print an application password", Run: onUsers("add", addUser)},
	{Name: "password", Summary: "give a user one more application password, and print it", Run: onUsers("password", addPassword)},
	{Name: "list", Summary: "list the users", Run: onUsers("list", listUsers)},
}}

type userCommand func(ctx context.Context, site *users.Site, u *userFlags, out io.Writer) error

// onUsers returns a command that runs a function on a site's users.
func onUsers(command string, run userCommand) func(context.Context, []string, io.Writer, io.Writer) error {
	return func(ctx context.Context, args []string, out, _ io.Writer) error {
		var u userFlags
		if err := cli.Parse(u.set(command), args, out); err != nil {
			return err
		}
		db, err := u.OpenSite(ctx)
		if err != nil {
			return err
		}
		defer db.Close()
		site, err := users.Open(db, u.Prefix)
		if err != nil {
			return err
		}
		err = run(ctx, site, &u, out)
		var mistake users.Mistake
		if errors.As(err, &mistake) {
			return cli.Usage(mistake)
		}
		if err != nil {
			return fmt.Errorf("user %s: %w", command, err)
		}
		return nil
	}
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

// printable returns a stored text for a column of a terminal.
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
