package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/users"
	"github.com/agendahq/agenda/schema"
)

// userFlags contains the flags of all user commands; each command registers some of them.
type userFlags struct {
	cli.Database
	account  users.Account
	name     string // of an application password
	all      bool
	reassign string
	warns    bool // the command warns if the site caches data
}

// These descriptions belong to flags of several commands.
const (
	loginUsage = "Name of the user"
	emailUsage = "E-mail address of the user"
)

func (u *userFlags) loginFlag(f *pflag.FlagSet) {
	f.StringVar(&u.account.Login, "login", "", loginUsage)
}

func (u *userFlags) accountFlags(f *pflag.FlagSet) {
	f.StringVar(&u.account.Email, "email", "", emailUsage)
	f.StringVar(&u.account.Role, "role", "", "Role of the user on the site: administrator, editor, author …")
}

// passwordFlag adds the flag with the name of an application password. It used to be called --name, which is the name
// of the calendar in other commands.
func (u *userFlags) passwordFlag(f *pflag.FlagSet) {
	f.StringVar(&u.name, "password-name", "Agenda", "Name by which the site lists the application password (default Agenda)")
}

// userCommand groups the user commands.
func userCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "user", Short: "Manage the users of a site and their passwords",
		Long: "Manage the users of a site and their application passwords, with which they log in to the API.\n" +
			"If the WordPress admin of the site is in use, remove users there, so that its plugins are notified.",
		Example: `  agenda user add --login anna --email anna@example.org --role editor
  agenda user list`,
	}
	onUsers := func(sub *cobra.Command, run userRun, add ...func(*userFlags, *pflag.FlagSet)) {
		u := userFlags{warns: sub.Use != "list"}
		cli.Group(sub.Flags(), "User", func(f *pflag.FlagSet) {
			for _, a := range add {
				a(&u, f)
			}
		})
		cli.Group(sub.Flags(), "Database", u.Flags)
		cli.Formerly(sub.Flags(), "name", "password-name")
		sub.RunE = func(cmd *cobra.Command, _ []string) error { return u.run(cmd, run) }
		cmd.AddCommand(sub)
	}
	onUsers(&cobra.Command{
		Use: "add", Short: "Add a user and print an application password",
		Long: "Add a user with one application password, which is printed and stored as a hash.\n" +
			"The user cannot log in on the site's login page until a password is set there.",
		Example: "  agenda user add --login anna --email anna@example.org --role editor",
	}, addUser, (*userFlags).loginFlag, (*userFlags).accountFlags, (*userFlags).passwordFlag)
	onUsers(&cobra.Command{
		Use: "password", Short: "Give a user another application password and print it",
		Example: "  agenda user password --login anna --password-name phone",
	}, addPassword, (*userFlags).loginFlag, (*userFlags).passwordFlag)
	onUsers(&cobra.Command{
		Use: "list", Short: "List the users",
		Long: "List the users with their roles, how many application passwords they have, and when one was last used.",
		Example: `  agenda user list
  agenda user list --dsn 'user:password@tcp(127.0.0.1:3306)/site'`,
	}, listUsers)
	onUsers(&cobra.Command{
		Use: "revoke", Short: "Revoke application passwords of a user",
		Long:    "Revoke the application passwords of a user that have a name, or all of them. Running servers no longer accept them.",
		Example: "  agenda user revoke --login anna --password-name phone\n  agenda user revoke --login anna --all",
	}, revokePasswords, (*userFlags).loginFlag, (*userFlags).passwordFlag, func(u *userFlags, f *pflag.FlagSet) {
		f.BoolVar(&u.all, "all", false, "Revoke all application passwords of the user (default false)")
	})
	onUsers(&cobra.Command{
		Use: "remove", Short: "Remove a user",
		Long: "Remove a user with all passwords. A user who has written something is removed only with --reassign.\n" +
			"The last administrator cannot be removed.",
		Example: "  agenda user remove --login anna --reassign editor",
	}, removeUser, (*userFlags).loginFlag, func(u *userFlags, f *pflag.FlagSet) {
		f.StringVar(&u.reassign, "reassign", "", "Name of the user who gets what the removed user wrote")
	})
	return cmd
}

// warnUser prints a warning if the site may continue with cached passwords.
func warnUser(ctx context.Context, db *bun.DB, prefix string, out io.Writer) error {
	text, err := schema.CacheWarning(ctx, db, prefix)
	if err == nil && text != "" {
		_, err = fmt.Fprintf(out, "Warning: %s. Flush its cache now; to have it follow, %s.\n", text, schema.CacheAdvice)
	}
	return err
}

type userRun func(ctx context.Context, site *users.Site, u *userFlags, out io.Writer) error

// run calls a function with the site's users.
func (u *userFlags) run(cmd *cobra.Command, run userRun) error {
	ctx := cmd.Context()
	db, err := u.OpenSite(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	site, err := users.Open(db, u.Tables())
	if err != nil {
		return err
	}
	err = run(ctx, site, u, cmd.OutOrStdout())
	if err == nil && u.warns {
		err = warnUser(ctx, db, u.Prefix, cmd.ErrOrStderr())
	}
	var mistake users.Mistake
	if errors.As(err, &mistake) {
		return cli.Usage(mistake)
	}
	if err != nil {
		return fmt.Errorf("user %s: %w", cmd.Name(), err)
	}
	return nil
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
	plain, err := site.AddPassword(ctx, u.account.Login, u.name, time.Now())
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "The new application password of %s, which is not shown again:\n%s\n", u.account.Login, plain)
	return err
}

func revokePasswords(ctx context.Context, site *users.Site, u *userFlags, out io.Writer) error {
	name := u.name
	if u.all {
		name = ""
	}
	n, err := site.Revoke(ctx, u.account.Login, name)
	if err == nil {
		_, err = fmt.Fprintf(out, "Application passwords revoked of %s: %d.\n", u.account.Login, n)
	}
	return err
}

func removeUser(ctx context.Context, site *users.Site, u *userFlags, out io.Writer) error {
	n, err := site.Remove(ctx, u.account.Login, u.reassign)
	if err != nil {
		return err
	}
	if n > 0 {
		_, err = fmt.Fprintf(out, "%s was removed; %s got %d items.\n", u.account.Login, u.reassign, n)
		return err
	}
	_, err = fmt.Fprintf(out, "%s was removed.\n", u.account.Login)
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

// printable returns a stored string for a column of terminal output.
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
