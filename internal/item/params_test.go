package item

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestPageSizeOfTheSite checks that lists work whatever a site has stored as its page size.
func TestPageSizeOfTheSite(t *testing.T) {
	e := New(Config{MaxPageSize: 50})
	for _, c := range []struct {
		stored any
		want   int64
	}{
		{nil, 10}, {"10", 10}, {"5", 5}, {int64(4), 4}, {"80", 80}, {" 7 ", 7}, {"2.0", 2}, {true, 1}, {float64(6), 6},
		{"", 10}, {"0", 10}, {"-1", 10}, {int64(-3), 10}, {"abc", 10}, {false, 10},
		{"10abc", 10}, {"12.5", 12}, {6.5, 6}, {"9223372036854775807", 50}, {"1e99", 50}, {int64(1<<63 - 1), 50},
	} {
		ctx := site.With(t.Context(), &site.Settings{PageSize: c.stored})
		v, err := param.Read(ctx, e.pageParams(nil), param.Sources{})
		if err != nil {
			t.Errorf("%#v: %v", c.stored, err)
			continue
		}
		golden.Equal(t, c.stored, PerPage.Value(v), c.want)
	}
	e.PageSize = 3
	ctx := site.With(t.Context(), &site.Settings{PageSize: "8"})
	if v, err := param.Read(ctx, e.pageParams(nil), param.Sources{}); err != nil || PerPage.Value(v) != 3 {
		t.Errorf("the option does not win: %v", err)
	}
}

func TestOffset(t *testing.T) {
	for _, c := range []struct{ page, size, want int64 }{
		{1, 10, 0}, {2, 10, 10}, {7, 50, 300}, {1<<62 - 1, 50, 1 << 40}, {1<<63 - 2, 1, 1 << 40},
	} {
		if got := Offset(c.page, c.size); got != c.want {
			t.Errorf("page %d of %d: %d, want %d", c.page, c.size, got, c.want)
		}
	}
}

func TestSlugParam(t *testing.T) {
	for raw, ok := range map[string]bool{"a": true, "a%2Fb": true, "00": true, "日本": true, "%e6%97": false, "%00": false, "a%ff": false,
		"0": false, "%25": true} {
		path := param.NewMap()
		path.Set("slug", raw)
		slug := Slug(param.Key[string]("slug"), param.Checked(CheckSlug))
		if _, err := param.Read(t.Context(), []*param.Param{slug}, param.Sources{Path: path}); (err == nil) != ok {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

func TestPasswordParam(t *testing.T) {
	golden.Each(t, "passwords.txt", func(query string, listed bool, want string) {
		m, _ := param.ParseForm(strings.TrimPrefix(query, "D22 "))
		v, err := param.Read(t.Context(), []*param.Param{Password(listed)}, param.Sources{Query: m})
		got := "refused"
		if err == nil {
			got = password.Value(v)
		}
		if got != want {
			t.Errorf("%s, listed %v: %q, want %q", query, listed, got, want)
		}
	})
}

// TestStatusOfStrangers checks that without the right to edit, only published posts can be requested.
func TestStatusOfStrangers(t *testing.T) {
	e := New(Config{Content: content.New(content.Config{})})
	check := func(query string, ok bool) {
		m := must.Get(param.ParseForm(query))(t)
		status := e.StatusParam("tribe_events", param.Doc("param_events_status"))
		v, err := param.Read(context.Background(), []*param.Param{status}, param.Sources{Query: m})
		if (err == nil) != ok {
			t.Errorf("%.40s: %v", query, err)
		}
		if err == nil && !slices.Equal(statuses.Value(v), []string{"publish"}) {
			t.Errorf("%s: %v", query, statuses.Value(v))
		}
		var f *param.Failure
		if err != nil && (!errors.As(err, &f) || fmt.Sprint(f.Faults[0]) != "status: fault_status") {
			t.Errorf("%.40s: %v", query, err)
		}
	}
	golden.Each(t, "statuses.txt", check)
	check("status="+strings.Repeat(",", 100000), false)
}
