package param

import (
	"errors"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// Limits of a query string or form.
const (
	MaxFields  = 2000 // number of names
	maxNesting = 32   // number of brackets in one name
)

// ErrTooMany is returned for a query or form with more than MaxFields names, and for a request with more than
// maxMembers members and elements.
var ErrTooMany = errors.New("param: too many fields")

// ParseForm parses a query string or a URL-encoded form as PHP does: "+" is a space, "." and blanks in a name become
// "_", the last of several equal names wins, and name[]=a and name[x]=a make lists and maps. An invalid escape is kept
// as it is.
func ParseForm(s string) (*Map, error) {
	if s == "" {
		return NewMap(), nil
	}
	f := NewForm()
	for len(s) > 0 {
		var pair string
		pair, s, _ = strings.Cut(s, "&")
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		if err := f.Add(Unescape(name), Unescape(value)); err != nil {
			return nil, err
		}
	}
	return f.Map, nil
}

// Form is a form that is being built.
type Form struct {
	*Map
	fields  int // number of fields that may still be added
	members int // number of members that may still be added, including those created by brackets in names
}

// NewForm returns an empty Form.
func NewForm() *Form { return &Form{NewMap(), MaxFields, maxMembers} }

// Add adds a string or a *File under a name with optional [brackets]. It returns ErrTooMany if the form exceeds its
// limits.
func (f *Form) Add(name string, value any) error {
	if f.fields--; f.fields < 0 {
		return ErrTooMany
	}
	f.addNested(name, value)
	if f.members < 0 {
		return ErrTooMany
	}
	return nil
}

// Unescape decodes %XX and "+". Invalid escapes are kept as they are.
func Unescape(s string) string { return wp.FormDecode(s) }

var nameCleaner = strings.NewReplacer(".", "_", " ", "_", "[", "_")

func (f *Form) addNested(name string, value any) {
	name = strings.TrimLeft(name, " ")
	base, rest, nested := strings.Cut(name, "[")
	if base == "" {
		return
	}
	base = nameCleaner.Replace(base)
	if !nested || !strings.Contains(rest, "]") {
		if nested {
			base += "_" + nameCleaner.Replace(rest)
		}
		f.members--
		f.Set(base, value)
		return
	}
	at, key := f.Map, base
	for depth := 0; depth < maxNesting; depth++ {
		inner, after, closed := strings.Cut(rest, "]")
		if !closed {
			break
		}
		x, _ := at.Get(key)
		child, ok := x.(*Map)
		if !ok {
			if f.members--; f.members < 0 {
				return
			}
			child = NewMap()
			at.Set(key, child)
		}
		at, key = child, inner
		if key == "" {
			key = strconv.FormatInt(at.next, 10)
		}
		if n, err := strconv.ParseInt(key, 10, 64); err == nil && n >= at.next && n < 1<<62 {
			at.next = n + 1
		}
		if !strings.HasPrefix(after, "[") {
			break
		}
		rest = after[1:]
	}
	f.members--
	at.Set(key, value)
}
