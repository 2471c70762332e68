package ical

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// printed returns everything that a Reader returns, one item per line.
func printed(t testing.TB, text string) string {
	t.Helper()
	var b strings.Builder
	r := NewReader(strings.NewReader(text))
	for {
		c, err := r.Next()
		var fault *Fault
		switch {
		case err == io.EOF:
			return strings.TrimSpace(b.String())
		case errors.As(err, &fault):
			fmt.Fprintf(&b, "%d %s %s\n", fault.Line, fault.Name, fault.Reason)
		case err != nil:
			t.Fatal(err)
		default:
			b.WriteString(fmt.Sprint(c.Calendar) + "." + c.String() + "\n")
		}
	}
}

func (c *Component) String() string {
	parts := []string{}
	for _, p := range c.Properties {
		text := fmt.Sprintf("%d %s=%s", p.Line, p.Name, p.Value)
		for _, param := range p.Params {
			text += fmt.Sprintf(" %s(%s)", param.Name, param.Value)
		}
		parts = append(parts, text)
	}
	for _, part := range c.Parts {
		parts = append(parts, part.String())
	}
	for _, f := range c.Faults {
		parts = append(parts, fmt.Sprintf("!%d %s %s", f.Line, f.Name, f.Reason))
	}
	if c.Broken != "" {
		parts = append(parts, "!!"+c.Broken)
	}
	return fmt.Sprintf("%d %s{%s}", c.Line, c.Name, strings.Join(parts, "; "))
}

func TestRead(t *testing.T) {
	long := strings.Repeat("x", 60)
	for _, c := range []struct{ about, in, want string }{
		{"nothing", "", ""},
		{"blank lines", "\r\n\r\n\n", ""},
		{"one event", "BEGIN:VCALENDAR|VERSION:2.0|BEGIN:VEVENT|UID:a|BEGIN:VALARM|ACTION:AUDIO|END:VALARM|END:VEVENT|END:VCALENDAR|",
			"1.3 VEVENT{4 UID=a; 5 VALARM{6 ACTION=AUDIO}} 1.1 VCALENDAR{2 VERSION=2.0}"},
		{"folds", "BEGIN:VEVENT|SUMMARY:a| b|\tc|  d||UID:1|END:VEVENT", "0.1 VEVENT{2 SUMMARY=abc d; 7 UID=1}"},
		{"a fold within a character", "BEGIN:VEVENT|SUMMARY:caf\xC3| \xA9|END:VEVENT", "0.1 VEVENT{2 SUMMARY=café}"},
		{"CR alone", "BEGIN:VEVENT\rSUMMARY:a\r b\rEND:VEVENT\r", "0.1 VEVENT{2 SUMMARY=ab}"},
		{"LF alone", "BEGIN:VEVENT\nSUMMARY:a\n b\nEND:VEVENT\n", "0.1 VEVENT{2 SUMMARY=ab}"},
		{"twice CR", "BEGIN:VEVENT\r\r\nSUMMARY:a\r\r\n b\r\r\nEND:VEVENT\r\r\n", "0.1 VEVENT{3 SUMMARY=ab}"},
		{"a mark, small letters, spaces", "\xEF\xBB\xBFbegin:vevent |summary:a|  end:Vevent  |",
			"0.1 VEVENT{2 SUMMARY=a end:Vevent  ; !!the file ends within it}"},
		{"small letters", "begin:vevent |Summary:a|end:Vevent|", "0.1 VEVENT{2 SUMMARY=a}"},
		{"a line broken without a space", "BEGIN:VEVENT|DESCRIPTION:" + long + "yz|and more: http|http://x|END:VEVENT",
			"0.1 VEVENT{2 DESCRIPTION=" + long + `yzand more: http\nhttp://x}`},
		{"breaks that are not escaped", "BEGIN:VEVENT|DESCRIPTION:a|Location: b||Note: c|LOCATION:d|END:VEVENT",
			`0.1 VEVENT{2 DESCRIPTION=a\nLocation: b\n\nNote: c; 6 LOCATION=d}`},
		{"a line that is none", "BEGIN:VEVENT|DTSTART:20310501|what is this|UID:1|END:VEVENT",
			"0.1 VEVENT{2 DTSTART=20310501; 4 UID=1; !3  is not a line of a calendar: what is this}"},
		{"Latin-1", "BEGIN:VEVENT|SUMMARY:caf\xE9 10 \x80|END:VEVENT", "0.1 VEVENT{2 SUMMARY=café 10 €}"},
		{"parameters", `BEGIN:VEVENT|ORGANIZER;CN="a:b;c, d";X-Y=^'e^^;ROLE="f","g":mailto:h|END:VEVENT`,
			"0.1 VEVENT{2 ORGANIZER=mailto:h CN(a:b;c, d) X-Y(\"e^) ROLE(f,g)}"},
		{"a quote without an end", `BEGIN:VEVENT|ORGANIZER;CN="a:mailto:h|END:VEVENT`, "0.1 VEVENT{2 ORGANIZER=mailto:h CN(a)}"},
		{"a zone with a colon", "BEGIN:VEVENT|DTSTART;TZID=(UTC+01:00) Brussels:20310501T100000|END:VEVENT",
			"0.1 VEVENT{2 DTSTART=20310501T100000 TZID((UTC+01:00) Brussels)}"},
		{"a date with colons", "BEGIN:VEVENT|DTSTART:2031-05-01T10:00:00Z|DTEND:x:y|END:VEVENT",
			"0.1 VEVENT{2 DTSTART=2031-05-01T10:00:00Z; 3 DTEND=x:y}"},
		{"quoted-printable", "BEGIN:VEVENT|SUMMARY;ENCODING=QUOTED-PRINTABLE:caf=C3=|=A9 =0D=0Ab|END:VEVENT",
			`0.1 VEVENT{2 SUMMARY=café \nb ENCODING(QUOTED-PRINTABLE)}`},
		{"an event without an end", "BEGIN:VEVENT|UID:a|BEGIN:VEVENT|UID:b|END:VEVENT",
			"0.1 VEVENT{2 UID=a; !!BEGIN:VEVENT comes before its end} 0.3 VEVENT{4 UID=b}"},
		{"a part without an end", "BEGIN:VEVENT|BEGIN:VALARM|UID:a|END:VEVENT|", "0.1 VEVENT{2 VALARM{3 UID=a}; !2 VALARM has no end}"},
		{"ends of nothing", "END:VEVENT|BEGIN:VEVENT|END:VALARM|END:VEVENT|END:VCALENDAR",
			"1 VEVENT ends and did not begin 0.2 VEVENT{!3 VALARM ends and did not begin} 5 VCALENDAR ends and did not begin"},
		{"several calendars", "BEGIN:VCALENDAR|X-A:1|END:VCALENDAR|X-B:2|BEGIN:VCALENDAR|BEGIN:VEVENT|END:VCALENDAR|",
			"1.1 VCALENDAR{2 X-A=1} 4 X-B is in no calendar 2.6 VEVENT{!!END:VCALENDAR comes before its end} 2.5 VCALENDAR{}"},
		{"a calendar in a calendar", "BEGIN:VCALENDAR|BEGIN:VEVENT|BEGIN:VCALENDAR|END:VCALENDAR",
			"1.2 VEVENT{!!BEGIN:VCALENDAR comes before its end} 1.1 VCALENDAR{!!BEGIN:VCALENDAR comes before its end} 2.3 VCALENDAR{}"},
		{"a truncated file", "BEGIN:VCALENDAR|BEGIN:VEVENT|UID:a|END:VEVENT|BEGIN:VEVENT|UID",
			"1.2 VEVENT{3 UID=a} 1.5 VEVENT{!6  is not a line of a calendar: UID; !!the file ends within it} " +
				"1.1 VCALENDAR{!!the file ends within it}"},
		{"no calendar", "<html>|<body>|Not found", "1  is not a line of a calendar: <html>"},
		{"too deep", "BEGIN:VEVENT" + strings.Repeat("|BEGIN:X", 12) + "|UID:a" + strings.Repeat("|END:X", 12) + "|UID:b|END:VEVENT",
			""},
	} {
		got := strings.ReplaceAll(printed(t, strings.ReplaceAll(c.in, "|", "\r\n")), "\n", " ")
		if c.about == "too deep" {
			if !strings.HasSuffix(got, "!9 X is too deep}") || !strings.Contains(got, "UID=b") || strings.Contains(got, "UID=a") {
				t.Errorf("%s: %s", c.about, got)
			}
		} else if got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.about, got, c.want)
		}
	}
}

// TestReadBounded checks that long lines are cut, and that components that are too large are not kept.
func TestReadBounded(t *testing.T) {
	long := strings.Repeat("é", maxRead)
	r := NewReader(strings.NewReader("BEGIN:VEVENT\nSUMMARY:" + long + "\n " + long + "\nUID:a\nEND:VEVENT\n" +
		"BEGIN:VEVENT\n" + strings.Repeat("X-A:"+long[:1<<19]+"\n", 10) + "END:VEVENT\nBEGIN:VEVENT\nUID:b\nEND:VEVENT\n"))
	first, err := r.Next()
	if err != nil || !first.Properties[0].Cut || len(first.Properties[0].Value) > maxRead || first.Properties[1].Line != 4 {
		t.Errorf("%v", err)
	}
	second, err := r.Next()
	if err != nil || second.Broken != "is larger than can be read" || len(second.Properties) > 8 {
		t.Errorf("%v %q", err, second.Broken)
	}
	if third, err := r.Next(); err != nil || third.Properties[0].Value != "b" || third.Line != 18 {
		t.Errorf("%v %s", err, third)
	}
}

// TestReadWhatIsWritten checks that whatever a Writer writes is read back.
func TestReadWhatIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOfN(rapid.RuneFrom([]rune("a,;\\n\né😀\" ^:")), 0, 300, -1))
		summary, list := text.Draw(t, "text"), rapid.SliceOf(text).Draw(t, "list")
		w := &Writer{}
		w.Begin("VEVENT")
		w.Text("SUMMARY", summary)
		w.Texts("CATEGORIES", list)
		w.Value("URL", "http://x/?a;b,c:d", Param{Name: "CN", Value: "a:b;c", Text: true})
		w.End("VEVENT")
		c, err := NewReader(strings.NewReader(string(w.Bytes()))).Next()
		if err != nil || c.Broken != "" || len(c.Faults) > 0 || len(c.Properties) != 3 {
			t.Fatalf("%v %s", err, c)
		}
		want := []string{}
		for _, s := range list {
			if s = strings.TrimSpace(clean(s)); s != "" {
				want = append(want, s)
			}
		}
		if got := c.Properties[0].Text(); got != clean(summary) {
			t.Errorf("%q became %q", summary, got)
		}
		if got := c.Properties[1].Texts(); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
			t.Errorf("%q became %q", want, got)
		}
		if url := c.Properties[2]; url.Value != "http://x/?a;b,c:d" || url.Param("CN") != "a:b;c" {
			t.Errorf("%s", c)
		}
	})
}

// FuzzReader checks that for any input, no line that begins an event is lost.
func FuzzReader(f *testing.F) {
	for _, s := range []string{
		"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:a\\, b\r\n c\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
		"BEGIN:VEVENT\nDESCRIPTION:a\nb: c\n\nBEGIN:VEVENT\nEND:VCALENDAR\n", "begin:vevent\rbegin:x\rend:vevent\r",
		"BEGIN:VEVENT\nORGANIZER;CN=\"a:mailto:b\nDTSTART;TZID=(UTC+01:00) x:1\nSUMMARY;ENCODING=QUOTED-PRINTABLE:=\n=\nEND:VEVENT",
		"\xFF\xFEB\x00E\x00G\x00", "BEGIN:VTIMEZONE\nBEGIN:STANDARD\nRRULE:FREQ=YEARLY\nEND:STANDARD\nEND:VTIMEZONE", "\\:\\;=\"",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		events := 0
		r := NewReader(strings.NewReader(text))
		for {
			c, err := r.Next()
			var fault *Fault
			if err == io.EOF {
				break
			} else if err != nil && !errors.As(err, &fault) {
				t.Fatal(err)
			}
			if err == nil && c.Name == "VEVENT" {
				events++
			}
		}
		if strings.Contains(text, "\x00") || strings.Contains(strings.ToUpper(text), "QUOTED-PRINTABLE") {
			return // lines are different in UTF-16 and in encoded values
		}
		begun := 0
		for line := range strings.FieldsFuncSeq(text, func(c rune) bool { return c == '\r' || c == '\n' }) {
			if line == "BEGIN:VEVENT" {
				begun++
			}
		}
		if events < begun {
			t.Errorf("%d of %d events in %q", events, begun, text)
		}
	})
}
