package auth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/agendahq/agenda/internal/test/atonce"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// unused marks all passwords of a list as never used.
func unused(list *phpval.Array) {
	for _, one := range passwords(list) {
		one.Set(phpval.StrKey(fieldLastUsed), nil)
	}
}

// TestUseIsRecorded checks that a use is recorded once a day, and that everything else in the stored list is preserved.
func TestUseIsRecorded(t *testing.T) {
	h := newFixture(t)
	credentials := basicAuth("editor1", h.creds["editor1"])
	h.change(2, unused)
	before := h.stored(2)
	ask := func() string { return outcome(h.authenticate("Authorization", credentials)) }
	h.counter.Reset()
	if got := ask(); got != "editor1" || len(h.counter.Statements()) != 3 || h.counter.Transactions().Committed != 1 {
		t.Errorf("%s, %q", got, h.counter.Statements())
	}
	want := strings.Replace(before, `s:9:"last_used";N;s:7:"last_ip";N;`,
		fmt.Sprintf(`s:9:"last_used";i:%d;s:7:"last_ip";s:12:"198.51.100.7";`, noon.Unix()), 1)
	if got := h.stored(2); got != want || got == before {
		t.Errorf("%s\n%s", got, want)
	}
	for after, statements := range map[time.Duration]int{0: 1, 24*time.Hour - time.Second: 1, 24 * time.Hour: 3} {
		h.change(2, func(list *phpval.Array) {
			for _, one := range passwords(list) {
				one.Set(phpval.StrKey(fieldLastUsed), noon.Unix())
			}
		})
		h.now = noon.Add(after)
		h.counter.Reset()
		if got := ask(); got != "editor1" || len(h.counter.Statements()) != statements {
			t.Errorf("after %s: %s, %q", after, got, h.counter.Statements())
		}
	}
	h.now = noon
	h.change(2, unused)
	before = h.stored(2)
	h.counter.Reset()
	if got := outcome(h.authenticate("Authorization", basicAuth("editor1", "x"))); got != wrongPassword || len(h.counter.Statements()) !=
		1 ||
		h.stored(2) != before {
		t.Errorf("a wrong password changes what is stored: %s", got)
	}
}

// TestUseKeepsWhatOthersAdd checks that a password is preserved which another program adds between our read and our
// write.
func TestUseKeepsWhatOthersAdd(t *testing.T) {
	h := newFixture(t)
	h.change(2, unused)
	added := ""
	h.counter.Reset()
	h.counter.Before(func(_ context.Context, n int, query string) error {
		if n == 2 && added == "" {
			added = "pending"
			h.counter.Before(nil)
			h.change(2, func(list *phpval.Array) {
				list.Set(phpval.IntKey(9), item("new", "hash", nil, "extra", 1.5))
				added = phpval.Serialize(list)
			})
		}
		return nil
	})
	if got := outcome(h.authenticate("Authorization", basicAuth("editor1", h.creds["editor1"]))); got != "editor1" {
		t.Fatal(got)
	}
	got := h.stored(2)
	if !strings.Contains(added, `s:3:"new"`) || !strings.Contains(got, `i:9;a:5:{s:4:"uuid";s:3:"new";`) ||
		!strings.Contains(got, fmt.Sprintf("i:%d;", noon.Unix())) {
		t.Errorf("added %s\nstored %s", added, got)
	}
}

func TestMissingIDIsMade(t *testing.T) {
	h := newFixture(t)
	h.change(2, func(list *phpval.Array) {
		for _, one := range passwords(list) {
			one.Delete(phpval.StrKey(fieldUUID))
		}
	})
	ask := func() { _, _, _ = h.authenticate("Authorization", basicAuth("editor1", h.creds["editor1"])) }
	ask()
	stored := h.stored(2)
	list := must.Get(parseList(stored))(t)
	for _, one := range passwords(list) {
		if id := stringField(one, fieldUUID); !uuidOf4.MatchString(id) || !strings.HasSuffix(stored, `s:4:"uuid";s:36:"`+id+`";}}`) {
			t.Errorf("%s", stored)
		}
	}
	ask()
	if h.stored(2) != stored {
		t.Error("another id is made")
	}
}

// TestRecordingFails checks that a failure to record a use is logged and does not affect the response.
func TestRecordingFails(t *testing.T) {
	h := newFixture(t)
	h.change(2, unused)
	for _, failure := range []error{errors.New("the words s3cret of it"),
		&mysql.MySQLError{Number: 1290, Message: "the words s3cret of it"}} {
		for statement := 2; statement <= 3; statement++ {
			h.counter.Reset()
			h.counter.FailAt(statement, failure)
			if got := outcome(h.authenticate("Authorization", basicAuth("editor1", h.creds["editor1"]))); got != "editor1" {
				t.Errorf("statement %d: %s", statement, got)
			}
		}
	}
	h.counter.Reset()
	h.counter.FailCommit(errors.New("no commit"))
	if got := outcome(h.authenticate("Authorization", basicAuth("editor1", h.creds["editor1"]))); got != "editor1" {
		t.Errorf("commit: %s", got)
	}
	if log := h.log.String(); strings.Count(log, "could not be recorded") != 5 || strings.Contains(log, "s3cret") ||
		!strings.Contains(log, "user=2") || !strings.Contains(log, "1290") {
		t.Error(log)
	}
}

func TestManyAtOnceComeIn(t *testing.T) {
	h := newFixture(t)
	h.change(2, unused)
	h.counter.Reset()
	atonce.Run(12, func(int) {
		if got := outcome(h.authenticate("Authorization", basicAuth("editor1", h.creds["editor1"]))); got != "editor1" {
			t.Error(got)
		}
	})
	if n := len(h.counter.Matching("UPDATE `wp_usermeta`")); n != 1 {
		t.Errorf("recorded %d times", n)
	}
	if h.log.String() != "" {
		t.Error(h.log)
	}
}

// Nothing of what a caller proves itself with, nor of what it is compared to, is
// in a log or an error.
func TestNoSecretInLogsAndErrors(t *testing.T) {
	h := newFixture(t)
	h.change(1, unused)
	cookie, nonce := h.login()
	o, _ := loadObserved(t)
	password, wrong := h.creds["admin"], "wr0ngPassw0rdwr0ngPassw0"
	var output strings.Builder
	keep := func(header ...string) {
		p, headers, err := h.authenticate(header...)
		fmt.Fprintf(&output, "%v %+v %#v %v\n", p.Login, err, err, errors.Unwrap(err))
		for _, x := range headers {
			fmt.Fprintln(&output, x.Name)
		}
	}
	for i := range 12 {
		if i%4 == 3 {
			h.change(1, unused)
			h.counter.Reset()
			h.counter.FailAt(i%3+1, &mysql.MySQLError{Number: 1290, Message: "read only"})
		}
		keep("Authorization", basicAuth("admin", password))
		keep("Authorization", basicAuth("admin", wrong))
		keep("Authorization", basicAuth(wrong, wrong))
		keep("Authorization", basicAuth(wrong+"@example.org", wrong))
		keep("Cookie", cookie, "X-WP-Nonce", nonce)
		keep("Cookie", cookie, "X-WP-Nonce", "n0nce")
		keep("Cookie", cookie+"0", "X-WP-Nonce", nonce)
		h.counter.Reset()
	}
	fmt.Fprintf(&output, "%+v %#v\n", h.users.Keys, *h.users.Keys)
	all := output.String() + h.log.String()
	for _, secret := range []string{
		password, wrong, "$generic$", "EBCtBETmfz7d38WGaXl22wj1eyDXumCPy70Y6VhX", encoded("admin:" + password), "Basic ", nonce, "n0nce",
		"$wp$", o.Cases[0].Token, o.Cases[0].SessionKey,
		strings.Split(o.Cases[0].Cookie, "|")[3], "xLOGGED_IN", "xNONCE",
	} {
		if strings.Contains(all, secret) {
			t.Errorf("%q is in:\n%s", secret, all)
		}
	}
	for _, message := range []string{"wrong password", "too many wrong passwords", "could not be recorded"} {
		if !strings.Contains(h.log.String(), message) {
			t.Errorf("%q was not logged:\n%s", message, h.log)
		}
	}
}
