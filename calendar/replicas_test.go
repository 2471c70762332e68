package calendar_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// followed is a calendar on a primary server that another server, its replica, follows.
type followed struct {
	*testing.T
	primary, replica   *testdb.Alone
	onPrimary, onCopy  *testdb.Counter
	primaryDB, copyDB  *bun.DB
	cal                *calendar.Calendar
	handler            http.Handler
	events             int
	primaryPort, event string
}

func newFollowed(t *testing.T) *followed {
	r := &followed{T: t, onPrimary: new(testdb.Counter), onCopy: new(testdb.Counter)}
	listener := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	_, r.primaryPort, _ = net.SplitHostPort(listener.Addr().String())
	_ = listener.Close()
	identified := []string{}
	if testdb.StartsMySQL() {
		identified = []string{"--gtid-mode=ON", "--enforce-gtid-consistency=ON"}
	}
	r.primary = testdb.NewReplicating(t, append(identified, "--log-bin=bin", "--server-id=1", "--skip-networking=0",
		"--bind-address=127.0.0.1", "--port="+r.primaryPort)...)
	replica := []string{"--server-id=2", "--read-only=1"}
	if !testdb.StartsMySQL() {
		replica = append(replica, "--slave-net-timeout=2")
	}
	r.replica = testdb.NewReplicating(t, append(identified, replica...)...)
	r.primaryDB, r.copyDB = r.primary.Open(r.onPrimary), r.replica.Open(r.onCopy)
	r.follow()
	must.Succeed(t, schema.Install(t.Context(), r.primaryDB, "wp_"))
	r.cal, r.handler = contract.Mount(t, calendar.Options{
		DB: r.primaryDB, Replicas: []*bun.DB{r.copyDB}, Authenticator: byCaller{}, Logger: quiet(),
		Languages: []calendar.Language{{Tag: "en", BaseURL: contract.Site + "/wp-json"}},
		Routes:    r.routes(), Hooks: calendar.Hooks{BeforeWrite: r.asked},
	})
	r.until("the replica is read", func() bool { return r.cal.Stats().Replicas[0].Reason == "" })
	r.event = r.createEvent()
	r.until("the replica has the event", func() bool {
		n := must.Get(r.copyDB.NewSelect().Table("wp_posts").Where("ID = ?", r.event).Count(t.Context()))(t)
		return n > 0
	})
	return r
}

// routes returns routes of the host's own: one creates an event and reads it, the other reads an event through Keep. In
// both, clients must see what they wrote.
func (r *followed) routes() []calendar.Route {
	return []calendar.Route{{
		Method: "POST", Path: "/own", Description: "Makes an event.",
		Handle: func(ctx context.Context, q *calendar.RouteRequest) (any, error) {
			made, err := r.cal.Kinds().Events.Create(ctx, calendar.Values{
				"title": "Own", "start_date": "2090-01-01 10:00", "end_date": "2090-01-01 11:00",
			})
			if err != nil {
				return nil, err
			}
			read, err := r.cal.Event(calendar.WithPrincipal(ctx, calendar.Principal{}), made.ID)
			if err != nil {
				return nil, err
			}
			return read.ID, nil
		},
	}, {
		Method: "GET", Path: "/own/{id}", Description: "Reads an event.",
		Params: []calendar.Param{{Name: "id", Type: calendar.FieldInteger, Description: "The event."}},
		Handle: func(ctx context.Context, q *calendar.RouteRequest) (any, error) {
			return calendar.Keep(ctx, r.cal, fmt.Sprint("own ", q.Int("id")), func(ctx context.Context) (calendar.Kept[string], error) {
				read, err := r.cal.Kinds().Events.Get(ctx, q.Int("id"), nil)
				if err != nil {
					return calendar.Kept[string]{}, err
				}
				return calendar.Kept[string]{Value: read.Title, Bytes: 100}, nil
			})
		},
	}}
}

// asked is a BeforeWrite hook that reads the event which is about to change, and which at times only the primary has.
func (r *followed) asked(ctx context.Context, d *calendar.Draft) error {
	if d.Op == calendar.OpCreate {
		return nil
	}
	_, err := r.cal.Event(ctx, d.ID)
	return err
}

// ownSeen checks that the host's own routes and the hook see what the same client wrote before.
func (r *followed) ownSeen() {
	r.Helper()
	id := r.must(http.StatusOK, authors, "POST", "/own", "", asCaller)
	if text := r.must(http.StatusOK, authors, "GET", "/own/"+id, ""); text != `"Own"` {
		r.Errorf("an own route that reads: %s", text)
	}
	r.must(http.StatusOK, authors, "PATCH", "/events/"+id, `{"title":"Other"}`, asCaller, asJSON) // its hook reads
}

// follow starts the replication from the primary to the replica. The database itself exists on both already, so what
// happened before is not replicated.
func (r *followed) follow() {
	r.Helper()
	if testdb.StartsMySQL() {
		for _, db := range []*bun.DB{r.primaryDB, r.copyDB} {
			exec(r.T, db, "RESET BINARY LOGS AND GTIDS")
		}
		exec(r.T, r.primaryDB, "CREATE DATABASE first") // so that the position is not empty
		exec(r.T, r.copyDB, "CHANGE REPLICATION SOURCE TO SOURCE_HOST = '127.0.0.1', SOURCE_PORT = "+r.primaryPort+
			", SOURCE_USER = 'root', SOURCE_AUTO_POSITION = 1, SOURCE_CONNECT_RETRY = 1, GET_SOURCE_PUBLIC_KEY = 1")
	} else {
		var position string
		must.Succeed(r, r.primaryDB.NewRaw("SELECT @@GLOBAL.gtid_binlog_pos").Scan(r.Context(), &position))
		exec(r.T, r.copyDB, "SET GLOBAL gtid_slave_pos = ?", position)
		exec(r.T, r.copyDB, "CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = "+r.primaryPort+
			", MASTER_USER = 'root', MASTER_USE_GTID = slave_pos, MASTER_CONNECT_RETRY = 1")
	}
	exec(r.T, r.copyDB, "START REPLICA")
}

// byCaller authenticates requests with the header X-Caller as a user who may write everything. All other requests are
// anonymous.
type byCaller struct{}

func (byCaller) Authenticate(r *http.Request) (calendar.Principal, error) {
	if r.Header.Get("X-Caller") == "" {
		return calendar.Principal{}, nil
	}
	return writer{}.Authenticate(r)
}

var asCaller = header{"X-Caller", "admin"}

// sendRequest sends a request from a client's address.
func (r *followed) sendRequest(address, method, path, body string, headers ...header) (status int, text string) {
	r.Helper()
	req := must.Get(http.NewRequestWithContext(r.Context(), method, contract.Root+path, strings.NewReader(body)))(r)
	if body == "" {
		req.Body, req.ContentLength = http.NoBody, 0
	}
	req.RequestURI, req.RemoteAddr = req.URL.RequestURI(), address+":1"
	for _, h := range headers {
		req.Header.Set(h.name, h.value)
	}
	w := httptest.NewRecorder()
	r.handler.ServeHTTP(w, req)
	return w.Code, w.Body.String()
}

// must is sendRequest, and ends the test unless the answer has the status.
func (r *followed) must(want int, address, method, path, body string, headers ...header) string {
	r.Helper()
	status, text := r.sendRequest(address, method, path, body, headers...)
	if status != want {
		r.Fatalf("%s %s is answered %d %s, want %d", method, path, status, text, want)
	}
	return text
}

const (
	authors = "192.0.2.1"
	readers = "192.0.2.2"
)

// createEvent creates an event as a client with the address authors, and returns its id.
func (r *followed) createEvent() string {
	r.Helper()
	r.events++
	text := r.must(http.StatusCreated, authors, "POST", "/events", fmt.Sprintf(
		`{"title":"Event %d","start_date":"2090-01-01 10:00","end_date":"2090-01-01 11:00"}`, r.events), asCaller, asJSON)
	id, _, _ := strings.Cut(strings.TrimPrefix(text, `{"id":`), ",")
	return id
}

// until waits until happened returns true, at most a minute. what says in the error what did not happen.
func (r *followed) until(what string, happened func() bool) {
	r.Helper()
	for patience := time.Now().Add(time.Minute); !happened(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(patience) {
			r.Fatalf("in vain: %s; %+v", what, r.cal.Stats().Replicas)
		}
	}
}

// answered returns the servers from which an answer was read: "primary", "replica", or both, joined by "+". It is empty
// if no server was sent a query for posts, as for a cached answer.
func (r *followed) answered(address, path string, headers ...header) string {
	r.Helper()
	r.onPrimary.Reset()
	r.onCopy.Reset()
	r.must(http.StatusOK, address, "GET", path, "", headers...)
	var by []string
	for name, c := range map[string]*testdb.Counter{"primary": r.onPrimary, "replica": r.onCopy} {
		for _, sent := range c.Statements() {
			if strings.Contains(sent, "posts") {
				by = append(by, name)
				break
			}
		}
	}
	return strings.Join(by, "+")
}

// path returns a path of the event that was not requested before, so that no answer for it is cached.
func (r *followed) path() string {
	r.events++
	return "/events/" + r.event + "?_fields=id,x" + strconv.Itoa(r.events)
}

// TestReplicaOfSeveralServers checks that a replica is not used if its address leads to more than one server.
func TestReplicaOfSeveralServers(t *testing.T) {
	t.Parallel()
	r := newFollowed(t)
	if !testdb.StartsMySQL() { // a MariaDB server that follows no other has no such position unless it is set
		exec(t, r.primaryDB, "SET GLOBAL gtid_slave_pos = '0-1-999999'")
	}
	opts := calendar.Options{
		DB: r.primaryDB, Replicas: []*bun.DB{testdb.InTurns(t, r.replica, r.primary)}, Logger: quiet(),
		Languages: []calendar.Language{{Tag: "en", BaseURL: contract.Site + "/wp-json"}},
	}
	cal, handler := contract.Mount(t, opts)
	r.cal = cal
	r.until("the replica is left out", func() bool { return strings.Contains(cal.Stats().Replicas[0].Reason, "several servers") })
	r.handler = handler
	for range 5 {
		r.must(http.StatusOK, readers, "GET", r.path(), "")
	}
	if n := cal.Stats().Replicas[0].Requests; n != 0 {
		t.Errorf("%d requests were sent to it", n)
	}
}

// TestReplicas checks that anonymous reads are answered by a replica, and all other requests by the primary; that
// authors see what they wrote; that the calendar notices when a replica stops replicating, crashes or returns; and that
// reads are answered while either server is down.
func TestReplicas(t *testing.T) {
	t.Parallel()
	r := newFollowed(t)
	r.until("another address reads from the replica", func() bool { return r.answered(readers, r.path()) == "replica" })
	r.until("the author reads from it again", func() bool { return r.answered(authors, r.path()) == "replica" })
	id, _ := strconv.ParseInt(r.event, 10, 64)
	own := must.Get(r.cal.Event(t.Context(), id))(t)
	if _, text := r.sendRequest(readers, "GET", "/events/"+r.event, ""); text != string(own.JSON) {
		t.Errorf("the replica answers %s, the primary %s", text, own.JSON)
	}
	golden.Equal(t, "a caller is answered by", r.answered(readers, r.path(), asCaller), "primary")
	for _, name := range []string{"password", "%20password", "+password", "%70assword"} {
		golden.Equal(t, name, r.answered(readers, r.path()+"&"+name+"=x"), "primary")
	}
	must.Succeed(t, r.cal.DeclareJournal(t.Context()))
	r.until("sync answers", func() bool {
		status, _ := r.sendRequest(readers, "GET", "/events?sync=1", "")
		return status == http.StatusOK
	})
	for _, name := range []string{"sync=1", "%73ync=1"} {
		golden.Equal(t, name, r.answered(readers, "/events?"+name), "primary")
	}
	for range 20 {
		r.must(http.StatusOK, authors, "GET", "/events/"+r.createEvent(), "")
	}
	r.ownSeen()

	exec(t, r.copyDB, "STOP REPLICA SQL_THREAD")
	stays := r.createEvent()
	for range 20 {
		r.must(http.StatusOK, authors, "GET", "/events/"+stays, "")
	}
	r.ownSeen()
	r.until("what the replica lacks is read by others", func() bool {
		status, _ := r.sendRequest(readers, "GET", "/events/"+stays, "")
		return status == http.StatusOK
	})
	if s := r.cal.Stats().Replicas[0]; !strings.Contains(s.Reason, "behind") || s.Lag <= 0 || len(s.Position) == 0 {
		t.Errorf("it is not read since %q, its lag is %s, its position %v", s.Reason, s.Lag, s.Position)
	}
	exec(t, r.copyDB, "START REPLICA SQL_THREAD")
	r.until("a replica that goes on is read", func() bool { return r.answered(readers, r.path()) == "replica" })
	r.until("it lacks nothing", func() bool { return r.cal.Stats().Replicas[0].Lag == 0 })

	r.replica.Kill()
	for range 20 {
		if by := r.answered(readers, r.path()); by != "primary" {
			t.Errorf("with a dead replica %s answers", by)
		}
	}
	r.replica.Start()
	exec(t, r.copyDB, "START REPLICA")
	r.until("a replica that returns is read", func() bool { return r.answered(readers, r.path()) == "replica" })

	r.until("the author reads from the replica", func() bool { return r.answered(authors, r.path()) == "replica" })
	r.primary.Kill()
	for range 20 {
		if by := r.answered(readers, r.path()); by != "replica" {
			t.Errorf("with a dead primary %q answers", by)
		}
	}
	r.must(http.StatusServiceUnavailable, readers, "POST", "/tags", `{"name":"x"}`, asCaller, asJSON)
	r.primary.Start()
	r.until("writes go on", func() bool {
		status, _ := r.sendRequest(readers, "POST", "/tags", `{"name":"x"}`, asCaller, asJSON)
		return status == http.StatusCreated
	})
	must.Succeed(t, r.cal.Close(context.Background()))
}
