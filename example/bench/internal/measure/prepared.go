package measure

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/example/bench/internal/floor"
)

// prepared is a case with its requests to the servers, the n-th of each for the same rows.
type prepared struct {
	Case
	service, cached, uncached, floor [][]byte

	note string // why there is no floor
}

// page contains the members of the service's answers that are read.
type page struct {
	ID                         int64
	Events, Venues, Categories []struct{ ID int64 }
	Total                      int64
	TotalPages                 int64  `json:"total_pages"`
	RestURL                    string `json:"rest_url"`

	tag string
}

func (p *page) ids() (ids []int64) {
	if p.ID != 0 {
		return []int64{p.ID}
	}
	for _, list := range [][]struct{ ID int64 }{p.Events, p.Venues, p.Categories} {
		for _, item := range list {
			ids = append(ids, item.ID)
		}
	}
	return ids
}

var errNothing = errors.New("the database has nothing to read")

// prepare returns the requests of a case. Every request is sent once to the service and to the floor; if they do not
// show the same rows, there is no floor.
func (b *bench) prepare(ctx context.Context, c Case) (*prepared, error) {
	variations, err := b.variations(ctx, c)
	if err != nil {
		return nil, err
	}
	a := &prepared{Case: c}
	var refused error
	for _, v := range variations {
		p, status, err := b.fetch(ctx, b.Service, v.Path)
		if err != nil {
			return nil, err
		}
		if status != http.StatusOK { // such as a venue that was deleted while events still link it
			refused = fmt.Errorf("%s is answered with %d", v.Path, status)
			continue
		}
		if err := b.prepareCalendars(ctx, a, v); err != nil {
			return nil, err
		}
		if a.note != "" {
			continue
		}
		path, compared := floorPath(c, v, p)
		if a.note, err = b.compare(ctx, v, compared, p); err != nil {
			return nil, err
		}
		a.floor = append(a.floor, getRequest(b.Floor.Address, path))
	}
	if len(a.service) == 0 {
		return nil, errors.Join(errNothing, refused)
	}
	if a.note != "" {
		a.floor = nil
	}
	return a, nil
}

// prepareCalendars adds a request to each of the calendars. Their validators differ because their addresses do.
func (b *bench) prepareCalendars(ctx context.Context, a *prepared, v variation) error {
	for _, to := range []struct {
		Endpoint
		requests *[][]byte
	}{{b.Service, &a.service}, {b.Cached, &a.cached}, {b.Uncached, &a.uncached}} {
		var header []string
		if a.kind == unchanged {
			p, status, err := b.fetch(ctx, to.Endpoint, v.Path)
			if err != nil {
				return err
			}
			if status != http.StatusOK {
				return fmt.Errorf("%s is answered with %d", v.Path, status)
			}
			header = []string{"If-None-Match", p.tag}
		}
		*to.requests = append(*to.requests, getRequest(to.Address, apiPath+v.Path, header...))
	}
	return nil
}

// variations returns the variations of the plan, with the pages that exist.
func (b *bench) variations(ctx context.Context, c Case) ([]variation, error) {
	list := b.plan.Cases[c.Name]
	if !c.paged || len(list) == 0 {
		return list, nil
	}
	base := list[0].Path
	p, status, err := b.fetch(ctx, b.Service, base)
	if err != nil {
		return nil, err
	}
	if status != http.StatusOK {
		return nil, fmt.Errorf("%s is answered with %d", base, status)
	}
	var pages []int64
	for n := int64(1); n <= p.TotalPages; n++ {
		pages = append(pages, n)
	}
	if c.kind == eventList { // pages far from the beginning
		pages = pages[len(pages)/2:]
	}
	r := rand.New(rand.NewPCG(planSeed, planSeed))
	r.Shuffle(len(pages), func(i, j int) { pages[i], pages[j] = pages[j], pages[i] })
	list = nil
	for _, n := range pages[:min(len(pages), manyPages)] {
		sep := "?"
		if strings.Contains(base, "?") {
			sep = "&"
		}
		list = append(list, variation{Path: base + sep + "page=" + strconv.FormatInt(n, 10)})
	}
	return list, nil
}

// fetch requests a path from one of the calendars.
func (b *bench) fetch(ctx context.Context, e Endpoint, path string) (p *page, status int, err error) {
	body, header, status, err := sendUnmeasured(ctx, http.MethodGet, e.Address, apiPath+path)
	if err != nil || status != http.StatusOK {
		return nil, status, err
	}
	p = &page{tag: header.Get("ETag")}
	if err := json.Unmarshal(body, p); err != nil {
		return nil, status, fmt.Errorf("%s: %w", path, err)
	}
	return p, status, nil
}

// floorPath returns the floor's path for the rows of an answer of the service, and the one by which both are compared.
// The dates of a list are those in the answer of the service.
func floorPath(c Case, v variation, p *page) (path, compared string) {
	q := url.Values{}
	for name, value := range v.Floor {
		q.Set(name, value)
	}
	switch c.kind {
	case single:
		path = floor.Event
	case unchanged:
		return floor.NotChanged + "?" + q.Encode(), floor.Event + "?" + q.Encode()
	default:
		path = map[string]string{"venues": floor.Venues, "categories": floor.Categories}[c.Name]
		if path == "" {
			path = floor.Events
		}
		shown := url.Values{}
		if u, err := url.Parse(p.RestURL); err == nil {
			shown = u.Query()
		}
		size, _ := strconv.Atoi(shown.Get("per_page"))
		number, _ := strconv.Atoi(shown.Get("page"))
		q.Set("limit", strconv.Itoa(size))
		q.Set("offset", strconv.Itoa(max(number-1, 0)*size))
		if path == floor.Events {
			q.Set("start", shown.Get("start_date"))
			q.Set("end", shown.Get("end_date"))
		}
	}
	path += "?" + q.Encode()
	return path, path
}

// compare returns a note about how the floor differs from the service, or "" if it does not.
func (b *bench) compare(ctx context.Context, v variation, path string, p *page) (note string, err error) {
	body, _, status, err := sendUnmeasured(ctx, http.MethodGet, b.Floor.Address, path)
	if err != nil {
		return "", err
	}
	if status != http.StatusOK {
		return fmt.Sprintf("no floor: %s: %.100s", v.Path, strings.TrimSpace(string(body))), nil
	}
	var shown struct {
		IDs   []int64
		Total int64
	}
	if err := json.Unmarshal(body, &shown); err != nil {
		return "", fmt.Errorf("floor: %s: %w", path, err)
	}
	if !slices.Equal(shown.IDs, p.ids()) || shown.Total != p.Total {
		return fmt.Sprintf("no floor: for %s it has %d of %d, the service %d of %d, or others", v.Path, len(shown.IDs), shown.Total,
			len(p.ids()), p.Total), nil
	}
	return "", nil
}

// sendUnmeasured sends a request that is not measured.
func sendUnmeasured(ctx context.Context, method, address, path string) (body []byte, header http.Header, status int, err error) {
	r, err := http.NewRequestWithContext(ctx, method, "http://"+address+path, nil)
	if err != nil {
		return nil, nil, 0, err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, nil, 0, err
	}
	defer resp.Body.Close()
	body, err = io.ReadAll(resp.Body)
	return body, resp.Header, resp.StatusCode, err
}

// askControl sends a request to a server's control address.
func askControl[T any](ctx context.Context, e Endpoint, method, path string) (answer T, err error) {
	body, _, status, err := sendUnmeasured(ctx, method, e.Control, path)
	if err != nil {
		return answer, err
	}
	if status != http.StatusOK {
		return answer, fmt.Errorf("%s: %s", path, strings.TrimSpace(string(body)))
	}
	return answer, json.Unmarshal(body, &answer)
}

// getRequest returns the bytes of a request.
func getRequest(address, path string, header ...string) []byte {
	var b strings.Builder
	b.WriteString("GET " + path + " HTTP/1.1\r\nHost: " + address + "\r\nAccept: application/json\r\n")
	for i := 0; i+1 < len(header); i += 2 {
		b.WriteString(header[i] + ": " + header[i+1] + "\r\n")
	}
	b.WriteString("\r\n")
	return []byte(b.String())
}

// inTurn makes every client send all requests in order, each starting at another one.
func inTurn(requests [][]byte) request {
	return func(b []byte, client, i int) []byte {
		const stride = 7 // the number of requests is rarely a multiple of it
		return append(b, requests[(client*stride+i)%len(requests)]...)
	}
}
