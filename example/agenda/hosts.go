package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/demo"
)

var hostName = regexp.MustCompile(`^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:]+\])(:[0-9]{1,5})?$`)

// maxHosts is the maximum number of host names, each of which has a separate calendar.
const maxHosts = 20

// checkHosts validates the host names under which the server may be requested.
func (s *settings) checkHosts() error {
	for i, name := range s.hosts {
		s.hosts[i] = strings.ToLower(strings.TrimSpace(name))
		if !hostName.MatchString(s.hosts[i]) {
			return cli.Usagef("--hosts %q: use names such as town.example or 192.168.1.5:8080", name)
		}
	}
	switch {
	case len(s.hosts) > maxHosts:
		return cli.Usagef("--hosts: %d names, but at most %d are possible", len(s.hosts), maxHosts)
	case len(s.hosts) > 0 && s.baseURL != "":
		return cli.Usagef("use --hosts or --base-url, not both: --base-url is the only address")
	}
	return nil
}

// authorities returns the "host:port" values in requests to this server; the first one is displayed. A host name is
// requested with the port of the server, or without one if that port is mapped to the default port.
func (s *settings) authorities(port int) (list []string) {
	usual := 80
	if s.tlsCert != "" {
		usual = 443
	}
	for _, name := range s.hosts {
		if _, _, err := net.SplitHostPort(name); err == nil {
			list = append(list, name)
			continue
		}
		if port != usual {
			list = append(list, name+":"+strconv.Itoa(port))
		}
		list = append(list, name)
	}
	slices.Sort(list[min(1, len(list)):])
	return slices.Compact(list)
}

// roots returns the root addresses of the first language: that of the server itself, and one for each further host
// name.
func (s *settings) roots(a *net.TCPAddr, log *slog.Logger) (first string, others map[string]string) {
	if s.baseURL != "" {
		return s.baseURL, nil
	}
	scheme := "http://"
	if s.tlsCert != "" {
		scheme = "https://"
	}
	root := func(authority string) string { return scheme + authority + "/wp-json" }
	names := s.authorities(a.Port)
	if len(names) == 0 {
		if a.IP.IsUnspecified() {
			log.Warn("links begin with an address that other machines cannot open: set --base-url to the public address of "+
				"the API's root, or --hosts to the names of this machine", "address", root(reachable(a)))
		}
		return root(reachable(a)), nil
	}
	others = map[string]string{}
	for _, name := range names[1:] {
		others[name] = root(name)
	}
	return root(names[0]), others
}

// hosted routes requests by their host name.
type hosted struct {
	usual  http.Handler
	byHost map[string]http.Handler
}

// ServeHTTP answers a request with the handler of its host name, or else with the usual one.
func (h *hosted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if own := h.byHost[strings.ToLower(r.Host)]; own != nil {
		own.ServeHTTP(w, r)
		return
	}
	h.usual.ServeHTTP(w, r)
}

// handlers mounts a calendar for each host name, and returns the calendar that serves all other names. finish ends
// their background work.
func (s *settings) handlers(ctx context.Context, db *bun.DB, versions []version, others map[string]string, with resources,
	log *slog.Logger) (handler http.Handler, usual *calendar.Calendar, finish func() error, err error) {
	with.limiter = &calendar.LoginLimiter{} // shared by all names, because they are one server
	var calendars []*calendar.Calendar
	finish = func() (err error) {
		for _, c := range calendars {
			err = errors.Join(err, closeCalendar(ctx, s.requestTimeout, c))
		}
		return err
	}
	first, usual, err := s.handler(ctx, db, versions, with, log)
	if err != nil {
		return nil, nil, nil, err
	}
	calendars = append(calendars, usual)
	all := &hosted{usual: first, byHost: map[string]http.Handler{}}
	also := *s
	also.publishEvery = 0 // one of the calendars does that for all
	for name, root := range others {
		own, err := s.versions(root)
		if err != nil {
			return nil, nil, nil, errors.Join(err, finish())
		}
		if s.DSN == "" {
			with.uploads.BaseURL = own[0].siteURL + strings.TrimSuffix(demo.UploadsPath, "/")
		}
		h, c, err := also.handler(ctx, db, own, with, log)
		if err != nil {
			return nil, nil, nil, errors.Join(err, finish())
		}
		calendars = append(calendars, c)
		all.byHost[name] = h
	}
	return all, usual, finish, nil
}
