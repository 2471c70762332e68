package ical

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/agendahq/agenda/internal/test/golden"
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
	check := func(about, in, want string) {
		got := strings.ReplaceAll(printed(t, strings.ReplaceAll(in, "|", "\r\n")), "\n", " ")
		if about == "too deep" {
			if !strings.HasSuffix(got, "!9 X is too deep}") || !strings.Contains(got, "UID=b") || strings.Contains(got, "UID=a") {
				t.Errorf("%s: %s", about, got)
			}
		} else if got != want {
			t.Errorf("%s:\n%s, want\n%s", about, got, want)
		}
	}
	golden.Each(t, "read.txt", check)
	check("a line broken without a space", "BEGIN:VEVENT|DESCRIPTION:"+long+"yz|and more: http|http://x|END:VEVENT",
		"0.1 VEVENT{2 DESCRIPTION="+long+`yzand more: http\nhttp://x}`)
	check("too deep", "BEGIN:VEVENT"+strings.Repeat("|BEGIN:X", 12)+"|UID:a"+strings.Repeat("|END:X", 12)+"|UID:b|END:VEVENT", "")
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
		golden.Equal(t, summary, c.Properties[0].Text(), clean(summary))
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
	golden.Seed(f, "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:a\\, b\r\n c\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
		"BEGIN:VEVENT\nDESCRIPTION:a\nb: c\n\nBEGIN:VEVENT\nEND:VCALENDAR\n", "begin:vevent\rbegin:x\rend:vevent\r",
		"BEGIN:VEVENT\nORGANIZER;CN=\"a:mailto:b\nDTSTART;TZID=(UTC+01:00) x:1\nSUMMARY;ENCODING=QUOTED-PRINTABLE:=\n=\nEND:VEVENT",
		"\xFF\xFEB\x00E\x00G\x00", "BEGIN:VTIMEZONE\nBEGIN:STANDARD\nRRULE:FREQ=YEARLY\nEND:STANDARD\nEND:VTIMEZONE", "\\:\\;=\"")
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
