package main

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/must"
)

// scraped returns the metrics at an address, by name and labels.
func scraped(t *testing.T, address string) map[string]float64 {
	t.Helper()
	resp, body := get(t, address)
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s", address, resp.StatusCode, body)
	}
	figures := map[string]float64{}
	for line := range strings.Lines(body) {
		if at := strings.LastIndexByte(line, ' '); at > 0 && line[0] != '#' {
			value := must.Get(strconv.ParseFloat(strings.TrimSpace(line[at:]), 64))(t)
			figures[line[:at]] = value
		}
	}
	return figures
}

// changed waits until the metrics at an address have changed by the given differences. A request may be counted after
// its response was read.
func changed(t *testing.T, address string, before, by map[string]float64) {
	t.Helper()
	var wrong []string
	for deadline := time.Now().Add(3 * time.Minute); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		now := scraped(t, address)
		wrong = nil
		for name, more := range by {
			if got := now[name] - before[name]; got != more {
				wrong = append(wrong, fmt.Sprintf("%s grew by %v, not %v", name, got, more))
			}
		}
		if wrong == nil {
			return
		}
	}
	t.Error(strings.Join(wrong, "\n"))
}

func TestFiguresForPrometheus(t *testing.T) {
	t.Parallel()
	free := freeAddress(t)
	address, end := server(t, "-metrics", free, "-log-format", "json")
	figures := "http://" + free + metricsPath
	api := address + "/wp-json/vendor/events/v1"
	get(t, api+"/tags")
	const published = "agenda_publishing_last_success_timestamp_seconds"
	before := scraped(t, figures)
	const inFlight = "agenda_http_requests_in_flight" // the previous request may still be counted shortly after its response
	for deadline := time.Now().Add(3 * time.Minute); (before[published] == 0 || before[inFlight] != 0) && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
		before = scraped(t, figures)
	}
	for name, want := range map[string]float64{
		"agenda_cache_enabled": 1, "agenda_changes_waiting": 0, inFlight: 0,
		`agenda_login_failures_total{status="401"}`: 0,
	} {
		if got, ok := before[name]; !ok || got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	for _, name := range []string{
		"go_goroutines", "process_start_time_seconds", `go_sql_open_connections{db_name="agenda"}`, "agenda_clock_looks_total",
		published,
	} {
		if before[name] <= 0 {
			t.Errorf("%s is %v", name, before[name])
		}
	}
	_, first := get(t, api+"/categories")
	get(t, api+"/categories")
	get(t, api+"/events/999999999")
	get(t, api+"/nowhere/"+strings.Repeat("x", 100))
	r, _ := http.NewRequest("BREW", api+"/categories", nil)
	if resp, err := http.DefaultClient.Do(r); err != nil {
		t.Fatal(err)
	} else {
		resp.Body.Close()
	}
	r, _ = http.NewRequest(http.MethodGet, api+"/events", nil)
	r.SetBasicAuth("editor", "wrong")
	if resp, err := http.DefaultClient.Do(r); err != nil || resp.StatusCode != http.StatusUnauthorized {
		t.Fatal(resp, err)
	}
	changed(t, figures, before, map[string]float64{
		`agenda_http_request_duration_seconds_count{method="GET",route="/categories",status="2xx"}`:   2,
		`agenda_http_request_duration_seconds_count{method="GET",route="/events/{id}",status="4xx"}`:  1,
		`agenda_http_request_duration_seconds_count{method="GET",route="none",status="4xx"}`:          1,
		`agenda_http_request_duration_seconds_count{method="OTHER",route="/categories",status="4xx"}`: 1,
		`agenda_http_request_duration_seconds_count{method="GET",route="/events",status="4xx"}`:       1,
		`agenda_cache_answers_total{outcome="hit",route="/categories"}`:                               1,
		`agenda_cache_answers_total{outcome="miss",route="/categories"}`:                              1,
		`agenda_http_callers_total{caller="refused"}`:                                                 1,
		`agenda_login_failures_total{status="401"}`:                                                   1,
	})
	now := scraped(t, figures)
	if got := now[`agenda_http_response_bytes_total{route="/categories"}`]; got < float64(2*len(first)) {
		t.Errorf("%v bytes of /categories, two of %d were read", got, len(first))
	}
	if now[`agenda_db_statements_total{method="GET",route="/categories"}`] < 1 {
		t.Error("no statements of /categories")
	}
	built := regexp.MustCompile(`^agenda_build_info\{commit=".+",version=".+"\}$`)
	found := false
	for name := range now {
		if strings.Contains(name, "xxx") || strings.Contains(name, "999999999") || strings.Contains(name, "BREW") {
			t.Errorf("a client's own text is in %s", name)
		}
		found = found || built.MatchString(name)
	}
	if !found {
		t.Error("no agenda_build_info")
	}
	if resp, _ := get(t, address+metricsPath); resp.StatusCode != http.StatusNotFound {
		t.Errorf("the public address answers %s with %d", metricsPath, resp.StatusCode)
	}
	if resp, _ := get(t, "http://"+free+"/"); resp.StatusCode != http.StatusNotFound {
		t.Errorf("the other address answers more than figures: %d", resp.StatusCode)
	}
	if code, log := end(); code != 0 || !strings.Contains(log, `"address":"`+figures+`"`) {
		t.Errorf("code %d, log %s", code, log)
	}
	if _, err := http.Get(figures); err == nil {
		t.Error("figures are served after the end")
	}
}
