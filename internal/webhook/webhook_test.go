package webhook

import (
	"net/http"
	"strconv"
	"testing"
	"time"
)

// TestDelay checks that there are ten attempts over 75 hours, each up to a tenth earlier or later, and that Retry-After
// delays an attempt by at most a day and adds none.
func TestDelay(t *testing.T) {
	const tries = 10
	began := time.Date(2031, 5, 1, 10, 0, 0, 0, time.UTC)
	ends := map[time.Time]bool{}
	for range 200 {
		now := began
		for try := int64(1); ; try++ {
			wait, again := Delay(try, "", now)
			if again != (try < tries) {
				t.Fatalf("try %d: %t", try, again)
			}
			if !again {
				break
			}
			if usual := delays[try-1]; wait < usual*9/10 || wait > usual*11/10 {
				t.Errorf("after try %d: %s", try, wait)
			}
			now = now.Add(wait)
		}
		if over := now.Sub(began).Hours(); over < 0.9*75 || over > 1.1*76 {
			t.Errorf("%.1f hours in all", over)
		}
		ends[now] = true
	}
	if len(ends) < 100 {
		t.Errorf("%d different ends: all try at the same time", len(ends))
	}
	for text, want := range map[string]time.Duration{
		"": 0, "0": 0, "-5": 0, "soon": 0, "NaN": 0, "Inf": 0, "1": 0, // the next attempt is after 5 s anyway
		"120": 2 * time.Minute, "7200": 2 * time.Hour, "999999999999999999999": longestWait,
		began.Add(time.Hour).Format(http.TimeFormat):        time.Hour,
		began.Add(-time.Hour).Format(http.TimeFormat):       0,
		began.AddDate(100, 0, 0).Format(http.TimeFormat):    longestWait,
		began.Add(time.Hour).Format(time.RFC3339):           0,
		strconv.FormatInt(began.Add(time.Hour).Unix(), 10):  longestWait,
		began.Add(23 * time.Hour).Format(http.TimeFormat):   23 * time.Hour,
		began.Add(25 * time.Hour).Format(http.TimeFormat):   longestWait,
		began.AddDate(-2031, 0, 0).Format(http.TimeFormat):  0,
		"Thu, 99 May 2031 11:00:00 GMT":                     0,
		"Thu, 01 May 2031 11:00:00 GMT and something after": 0,
	} {
		wait, again := Delay(1, text, began)
		if !again || want == 0 && wait > delays[0]*11/10 || want != 0 && wait != want {
			t.Errorf("Retry-After %q: %s, want %s", text, wait, want)
		}
	}
	if wait, _ := Delay(tries-1, "1", began); wait < delays[tries-2]*9/10 {
		t.Errorf("Retry-After has a try come earlier: after %s", wait)
	}
	if _, again := Delay(tries, "60", began); again {
		t.Error("Retry-After gives another try")
	}
}
