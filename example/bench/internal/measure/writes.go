package measure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"
)

// manyUpdated is the number of events for updates.
const manyUpdated = 128

// cleanTimeout is how long deleting may take after a run that was cancelled.
const cleanTimeout = 5 * time.Minute

// writer creates the bodies of writes. All of them differ, so that no two events get the same slug and every update
// changes something.
type writer struct {
	b *bench
	n atomic.Int64
}

// writes measures the cases that write, on events that it creates and deletes.
func (b *bench) writes(ctx context.Context, list []Case) (err error) {
	if len(list) == 0 {
		return nil
	}
	defer func() {
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanTimeout)
		defer cancel()
		err = errors.Join(err, b.clean(clean))
	}()
	w := &writer{b: b}
	for _, clients := range b.Clients {
		for _, c := range list {
			next := w.create
			if c.Name == "update" {
				if next, err = w.updates(ctx); err != nil {
					return err
				}
			}
			if err := b.measureWrites(ctx, c, clients, next); err != nil {
				return err
			}
		}
	}
	return nil
}

// measureWrites measures one case. Writes have no floor, since only the service defines which rows they write.
func (b *bench) measureWrites(ctx context.Context, c Case, clients int, next request) error {
	var m measured
	l := load{address: b.Service.Address, clients: clients, next: next}
	_, err := askControl[bool](ctx, b.Service, "POST", "/peak")
	if err == nil {
		_, err = l.times(ctx, max(clients, manyFilters))
	}
	for range rounds {
		if err == nil {
			err = b.slice(ctx, l, b.Service, &m)
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	b.addResult(Result{Case: c.Name, Clients: clients, Service: m.figures()}, err)
	return nil
}

// updates creates the events to update.
func (w *writer) updates(ctx context.Context) (request, error) {
	ids, err := w.b.left(ctx)
	if err != nil {
		return nil, err
	}
	if missing := manyUpdated - len(ids); missing > 0 {
		l := load{address: w.b.Service.Address, clients: 1, next: w.create}
		if _, err := l.times(ctx, missing); err != nil {
			return nil, err
		}
		if ids, err = w.b.left(ctx); err != nil {
			return nil, err
		}
	}
	if len(ids) == 0 {
		return nil, errors.New("the created events are missing")
	}
	return func(b []byte, client, i int) []byte {
		const stride = 17 // so that clients rarely update the same event
		n := w.n.Add(1)
		id := ids[(client*stride+i)%len(ids)]
		return w.post(b, "POST", "/events/"+strconv.FormatInt(id, 10), map[string]any{
			"title": fmt.Sprintf("Agenda bench, changed %d", n), "cost": strconv.FormatInt(n%40, 10),
			"start_date": w.day(n, 18), "end_date": w.day(n, 22), "description": description(n),
		})
	}, nil
}

func (w *writer) create(b []byte, _, _ int) []byte {
	n := w.n.Add(1)
	body := map[string]any{
		"title": fmt.Sprintf("Agenda bench %d", n), "slug": fmt.Sprintf("%s%d-%d", slugPrefix, w.b.report.Started.Unix(), n),
		"start_date": w.day(n, 20), "end_date": w.day(n, 23), "description": description(n), "cost": strconv.FormatInt(n%50, 10),
		"website": "https://example.org/bench/" + strconv.FormatInt(n, 10),
	}
	links := w.b.plan.Linked
	for name, ids := range map[string][]int64{"venue": links.Venues, "organizer": links.Organizers, "categories": links.Categories} {
		if len(ids) > 0 {
			body[name] = []int64{ids[n%int64(len(ids))]}
		}
	}
	return w.post(b, "POST", "/events", body)
}

// day returns a time on one of the next days.
func (w *writer) day(n int64, hour int) string {
	const days = 600
	return w.b.report.Started.AddDate(0, 0, 1+int(n%days)).Format(time.DateOnly) + fmt.Sprintf(" %02d:00:00", hour)
}

func description(n int64) string {
	return fmt.Sprintf("An evening with number %d, \"in the round\" - with supper.\n\n"+
		"Doors open an hour before. <strong>Seats are not numbered</strong>; who comes first sits in front.\n\n"+
		"The hall is a short walk from the station; bicycles can be left in the yard...", n)
}

// post appends the bytes of a request that writes.
func (w *writer) post(b []byte, method, path string, body map[string]any) []byte {
	text, _ := json.Marshal(body) // strings and numbers: it cannot fail
	b = append(w.head(b, method, path), "Content-Type: application/json\r\nContent-Length: "...)
	b = append(strconv.AppendInt(b, int64(len(text)), 10), "\r\n\r\n"...)
	return append(b, text...)
}

func (w *writer) head(b []byte, method, path string) []byte {
	return fmt.Appendf(b, "%s %s%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n", method, apiPath, path, w.b.Service.Address,
		w.b.Service.Token)
}

// left returns the events of the benchmark that still exist.
func (b *bench) left(ctx context.Context) ([]int64, error) {
	return askControl[[]int64](ctx, b.Service, "GET", "/left")
}

// clean permanently deletes the events of the benchmark.
func (b *bench) clean(ctx context.Context) error {
	const deleters = 4
	w := &writer{b: b}
	for before := int64(-1); ; {
		ids, err := b.left(ctx)
		if err != nil || len(ids) == 0 {
			return err
		}
		if ids[0] == before {
			return fmt.Errorf("%d events of the benchmark cannot be deleted", len(ids))
		}
		before = ids[0]
		var next atomic.Int64
		l := load{address: b.Service.Address, clients: min(deleters, len(ids)), next: func(buf []byte, _, _ int) []byte {
			id := ids[(next.Add(1)-1)%int64(len(ids))]
			return append(w.head(buf, "DELETE", fmt.Sprintf("/events/%d?force=true", id)), "\r\n"...)
		}}
		l.clients = largestDivisor(len(ids), l.clients)
		if _, err := l.times(ctx, len(ids)); err != nil {
			return fmt.Errorf("deleting what was created: %w", err)
		}
	}
}

// largestDivisor returns the largest divisor of n up to most: with that number of clients each sends the same number of
// requests, n in all.
func largestDivisor(n, most int) int {
	for n%most != 0 {
		most--
	}
	return most
}
