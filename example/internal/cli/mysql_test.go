package cli

import (
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"

	"github.com/agendahq/agenda/internal/test/must"
)

// An error of a connection states what to do, and contains no password. Servers reject an account that requires TLS
// with the same error as a wrong password.
func TestExplainMySQL(t *testing.T) {
	const plain, secure = "anna:geheim@tcp(db:3306)/site", "anna:geheim@tcp(db:3306)/site?tls=true"
	answer := func(number uint16) error { return &mysql.MySQLError{Number: number, Message: "in the server's words"} }
	for _, c := range []struct {
		dsn  string
		err  error
		want string
		away bool
	}{
		{plain, answer(1045), "check user and password in --dsn; if the account requires TLS, add ?tls=true to --dsn", false},
		{secure, answer(1045), `rejects user "anna": check user and password in --dsn`, false},
		{plain, answer(3159), "the database at db:3306 requires TLS: add ?tls=true to --dsn (tls=skip-verify in --dsn", false},
		{secure, fmt.Errorf("dial: %w", &tls.CertificateVerificationError{Err: errors.New("self-signed")}),
			"cannot be verified (self-signed): tls=skip-verify in --dsn", false},
		{plain, answer(2003), "the database at db:3306 rejects the connection: in the server's words", true}, // from a proxy
		{plain, &mysql.MySQLError{Number: 1105, Message: "target: site.0.primary: primary is not serving"}, "primary is not serving", true},
		{plain, answer(1105), "rejects the connection: in the server's words", false},
	} {
		cfg := must.Get(mysql.ParseDSN(c.dsn))(t)
		got := explainMySQL("--dsn", cfg, c.err)
		if away := errors.As(got, new(AwayError)); !strings.Contains(got.Error(), c.want) || strings.Contains(got.Error(),
			"geheim") || away != c.away || cfg.TLSConfig != "" && strings.Contains(got.Error(), "tls=true") {
			t.Errorf("%v is explained as %v", c.err, got)
		}
	}
}
