package db

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/must"
)

// strict is a server of this process alone that checks accounts.
var strict = sync.OnceValues(func() (*server, error) {
	return start("", "0", func(dir string) ([]string, error) {
		command, err := plain(dir)
		if err != nil {
			return nil, err
		}
		command = slices.DeleteFunc(command, func(f string) bool { return f == "--skip-grant-tables" })
		return command, bootstrap(command)
	})
})

// bootstrap creates the tables for accounts with the scripts of the server's package. MySQL has them already.
func bootstrap(command []string) error {
	if isMySQL(command[0]) {
		return nil
	}
	statements := "CREATE DATABASE mysql;\nUSE mysql;\n"
	for _, name := range []string{"mysql_system_tables.sql", "mysql_system_tables_data.sql"} {
		var text []byte
		for _, directory := range []string{"/usr/share/mysql", "/usr/share/mariadb", "/usr/local/share/mysql"} {
			if t, err := os.ReadFile(filepath.Join(directory, name)); err == nil {
				text = t
			}
		}
		if text == nil {
			return fmt.Errorf("no %s: %s", name, howToInstall)
		}
		statements += string(text) + "\n"
	}
	cmd := exec.Command(command[0], append(slices.Clone(command[1:]), "--bootstrap")...)
	cmd.Stdin = strings.NewReader(statements)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("bootstrap: %w\n%s", err, out)
	}
	return nil
}

// Granted returns two pools on a fresh database with the recorded site, on a server that checks accounts: one of its
// administrator, and one of an account with the rights that the statements grant. In the statements, {db} is the
// database, {user} the account, and {role} a role that only this test has.
func Granted(t testing.TB, statements ...string) (admin, account *bun.DB) {
	t.Helper()
	s := must.Get(strict())(t)
	name := s.load(t, &siteA)
	id := strings.TrimPrefix(name, prefix)
	s.exec(t, "CREATE USER u"+id+" IDENTIFIED BY 'secret'")
	s.exec(t, "CREATE ROLE r"+id)
	t.Cleanup(func() { s.exec(t, "DROP USER u"+id); s.exec(t, "DROP ROLE r"+id) })
	words := strings.NewReplacer("{db}", name, "{user}", "u"+id, "{role}", "r"+id)
	for _, statement := range statements {
		s.exec(t, words.Replace(statement))
	}
	account = s.open(t, name, []Option{func(c *config) { c.user, c.password = "u"+id, "secret" }})
	return s.open(t, name, nil), account
}
