package db

import (
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"
)

// strict is a server of this process alone, which has accounts.
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

// bootstrap makes the tables of accounts from what the server's package brings.
func bootstrap(command []string) error {
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

// Granted returns two pools on a fresh database that holds the recorded site, of a server with accounts: that of its
// administrator, and that of an account with the rights that the statements give, in which {db} is the database,
// {user} the account and {role} a role of its own.
func Granted(t testing.TB, statements ...string) (admin, account *bun.DB) {
	t.Helper()
	s, err := strict()
	if err != nil {
		t.Fatal(err)
	}
	name := "agenda_test_" + strings.ToLower(rand.Text()[:12])
	cfg := s.admin.Clone()
	cfg.MultiStatements = true
	cfg.Params = map[string]string{"sql_mode": "'NO_AUTO_VALUE_ON_ZERO'"}
	run := func(statements ...string) {
		t.Helper()
		db := pool(t, cfg, nil)
		defer db.Close()
		for _, statement := range statements {
			if _, err := db.Exec(statement); err != nil {
				t.Fatalf("%.200s: %v", statement, err)
			}
		}
	}
	user := name[len("agenda_test_"):]
	run("CREATE DATABASE "+name+" CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci",
		"CREATE USER u"+user+" IDENTIFIED BY 'secret'", "CREATE ROLE r"+user)
	t.Cleanup(func() { cfg.DBName = ""; run("DROP DATABASE "+name, "DROP USER u"+user, "DROP ROLE r"+user) })
	site, err := dump()
	if err != nil {
		t.Fatal(err)
	}
	cfg.DBName = name
	run("SET unique_checks=0;" + site)
	words := strings.NewReplacer("{db}", name, "{user}", "u"+user, "{role}", "r"+user)
	for _, statement := range statements {
		run(words.Replace(statement))
	}
	open := func(login, password string) *bun.DB {
		own := s.admin.Clone()
		own.DBName, own.User, own.Passwd = name, login, password
		db := pool(t, own, nil)
		t.Cleanup(func() { _ = db.Close() })
		if err := db.Ping(); err != nil {
			t.Fatal(err)
		}
		return bun.NewDB(db, mysqldialect.New())
	}
	return open(s.admin.User, s.admin.Passwd), open("u"+user, "secret")
}
