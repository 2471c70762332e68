package item

import (
	"bytes"
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// Types of the values of an Own.
const (
	OwnText   = "text"
	OwnNumber = "number"
	OwnYesNo  = "yes-no"
	OwnDate   = "date"
	OwnChoice = "choice"
	OwnList   = "list"
	OwnPost   = "post"
	OwnImage  = "image"
)

// Own declares a field that the host application adds to a resource; see calendar.Field.
type Own struct {
	Kind, Name, Key, Type string
	Choices               []string
	Min, Max              *float64
	Read, Write           string
	Description           string
	Texts                 map[string]string
	Label                 string
	Labels                map[string]string
	Example               any
}

// TextID returns the message id of the field's description.
func (o Own) TextID() string { return "own_" + o.Kind + "_" + o.Name }

// ownForm is the implementation of a type of Own. rows always are the values of the meta key, in order.
type ownForm struct {
	shown, takes *jsonschema.Schema
	options      []param.Option
	rule         param.Rule[[]string] // converts a given value to rows, and an empty value to none
	// write writes the value that the rows represent. If they represent none, it writes nothing and returns false.
	write func(w *phpjson.Writer, rows []string) bool
}

// OwnField returns the field that an Own declares.
func (s *Service) OwnField(o Own) *Field {
	form := s.ownForm(o)
	if o.Example != nil {
		form.shown, form.takes = form.shown.Example(o.Example), form.takes.Example(o.Example)
	}
	if o.Read != "" {
		s.rights = append(s.rights, o.Read)
	}
	key := param.Key[[]string](o.Name)
	f := &Field{
		Name: o.Name, Shape: form.shown, Masked: Omitted, Maybe: true, Keys: []string{o.Key}, Doc: o.TextID(), Own: true,
		Right: o.Read, WriteRight: cmp.Or(o.Write, o.Read), Local: o.Type == OwnPost || o.Type == OwnImage,
		Absent: func(it *Item) bool { return !form.write(&phpjson.Writer{}, it.Meta[o.Key]) },
		Value: func(w *phpjson.Writer, it *Item) {
			if !form.write(w, it.Meta[o.Key]) {
				w.Null()
			}
		},
		Param: func(bool) *param.Param {
			return key.Param(form.takes, form.rule, append(slices.Clone(form.options), param.Doc(o.TextID()), param.OfHost())...)
		},
	}
	if f.Local {
		f.Stored = NotStored
	}
	f.ApplyMeta = func(ctx context.Context, v *param.Values, e Rows) error {
		if !key.IsGiven(v) {
			return nil
		}
		rows := key.Value(v)
		same := form.equal(rows, e.Meta(o.Key))
		may := f.WriteRight == "" || caller.From(ctx).Can(f.WriteRight)
		switch {
		case !may && !(same && f.Readable(ctx)): // without the right to read the value, a caller must not be able to guess it by writing
			return caller.ErrForbidden
		case !same:
			if err := o.checkShort(rows); err != nil {
				return err
			}
			e.Set(o.Key, rows...)
		}
		return nil
	}
	f.Apply = func(ctx context.Context, in *Input, e *content.Edit) error { return f.ApplyMeta(ctx, in.Values, e) }
	return f
}

// checkShort returns a validation error if one of the rows is too long, unless the host allows more characters.
func (o Own) checkShort(rows []string) error {
	if o.Type == OwnText && o.most() > maxShort {
		return nil
	}
	for _, row := range rows {
		if err := CheckShort(o.Name, row, ""); err != nil {
			return err
		}
	}
	return nil
}

// equal reports whether two lists of rows represent the same value.
func (f ownForm) equal(a, b []string) bool {
	var first, second phpjson.Writer
	isA, isB := f.write(&first, a), f.write(&second, b)
	return isA == isB && bytes.Equal(first.Bytes(), second.Bytes())
}

// one returns the ownForm.write of a value that is stored in one row. parse returns the normalized string of a row, or
// "" if it is invalid.
func one(parse func(text string) string, write func(w *phpjson.Writer, text string)) func(*phpjson.Writer, []string) bool {
	return func(w *phpjson.Writer, rows []string) bool {
		if len(rows) == 0 {
			return false
		}
		text := parse(rows[0])
		if text != "" {
			write(w, text)
		}
		return text != ""
	}
}

// row returns the rows that store a string.
func row(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

func (s *Service) ownForm(o Own) ownForm {
	text := jsonschema.Text()
	writeText := func(w *phpjson.Writer, text string) { w.String(text) }
	writeNumber := func(w *phpjson.Writer, text string) { w.RawString(text) }
	switch o.Type {
	case OwnNumber:
		number := jsonschema.Number()
		takes := *number
		takes.Min, takes.Max = o.Min, o.Max
		return ownForm{
			shown: number, takes: jsonschema.OneOf(&takes, jsonschema.Null()),
			options: []param.Option{param.AnyType(), param.Null()},
			rule:    param.Checked(givenNumber), write: one(numeral, writeNumber),
		}
	case OwnYesNo:
		return ownForm{
			shown: jsonschema.Bool(), takes: jsonschema.Bool(),
			rule: param.Checked(func(ctx context.Context, v any) ([]string, error) {
				if on, err := param.Truthy(ctx, v); err != nil || !on {
					return nil, err
				}
				return []string{"1"}, nil
			}),
			write: func(w *phpjson.Writer, rows []string) bool {
				w.Bool(len(rows) > 0 && wp.Truthy(rows[0]))
				return true
			},
		}
	case OwnDate:
		day := text.Example("2031-05-01")
		return ownForm{
			shown: day, takes: day, rule: checkedText(givenDay), write: one(storedDay, writeText),
		}
	case OwnChoice:
		known := func(text string) string {
			if slices.Contains(o.Choices, text) {
				return text
			}
			return ""
		}
		return ownForm{
			shown: jsonschema.Words(o.Choices...), takes: jsonschema.Words(append(slices.Clone(o.Choices), "")...),
			write: one(known, writeText),
			rule: param.Checked(func(ctx context.Context, v any) ([]string, error) {
				if v == "" {
					return nil, nil
				}
				text, err := param.OneOf(o.Choices...)(ctx, v)
				return row(text), err
			}),
		}
	case OwnList:
		list := jsonschema.List(text)
		return ownForm{
			shown: list, takes: jsonschema.OneOf(list.UpTo(param.ListBound(o.most())), jsonschema.Null()),
			options: []param.Option{param.Null()},
			rule:    param.Checked(givenList),
			write: func(w *phpjson.Writer, rows []string) bool {
				if len(rows) == 0 {
					return false
				}
				w.Array()
				for _, row := range rows {
					w.String(row)
				}
				w.End()
				return true
			},
		}
	case OwnPost, OwnImage:
		return ownForm{
			shown: jsonschema.Int().From(1), takes: jsonschema.OneOf(jsonschema.Int().From(1), jsonschema.Null()),
			options: []param.Option{param.AnyType(), param.Null()},
			rule: param.LookedUp(param.Positive, func(ctx context.Context, id int64) ([]string, error) {
				return s.reference(ctx, id, o.Type == OwnImage)
			}),
			write: one(reference, writeNumber),
		}
	}
	return ownForm{
		shown: text, takes: text.Chars(0, o.most()), rule: checkedText(givenText),
		write: one(func(text string) string { return text }, writeText),
	}
}

// checkedText returns the rule of a string that check validates and normalizes.
func checkedText(check func(string) (string, error)) param.Rule[[]string] {
	return param.Checked(func(ctx context.Context, v any) ([]string, error) {
		text, err := param.String(ctx, v)
		if err == nil {
			text, err = check(text)
		}
		return row(text), err
	})
}

// most returns the maximum number of characters of a string, or of elements of a list; 0 for none.
func (o Own) most() int {
	if o.Max == nil {
		return 0
	}
	return int(*o.Max)
}

func givenText(given string) (string, error) { return wp.TextField(given), nil }

func givenNumber(_ context.Context, v any) ([]string, error) {
	given, ok := param.Scalar(v)
	if _, isBool := v.(bool); isBool {
		ok = false
	}
	if given == "" && ok { // an HTML form sends this for an empty input
		return nil, nil
	}
	text := numeral(given)
	if !ok || text == "" {
		return nil, param.Invalid("fault_number")
	}
	return row(text), nil
}

// maxNumber bounds the absolute value of numbers. Smaller ones are written without an exponent, in responses and in
// rows.
const maxNumber = 1e15

// numeral returns a number in the form of JSON and of rows, or "" if the string is not a number in bounds.
func numeral(text string) string {
	n, _, ok := wp.Numeric(text)
	if !ok || math.Abs(n) >= maxNumber || math.IsNaN(n) {
		return ""
	}
	return plainNumber(n)
}

func plainNumber(n float64) string {
	if n == 0 { // including -0
		return "0"
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}

// givenDay accepts a date, or an empty string.
func givenDay(given string) (string, error) {
	if day := storedDay(given); day != "" || given == "" {
		return day, nil
	}
	return "", param.Invalid("fault_day")
}

// storedDay returns a date in its stored form, or "" if the string is not a date.
func storedDay(text string) string {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return ""
	}
	return text
}

func givenList(_ context.Context, v any) (rows []string, err error) {
	given, err := param.List(v)
	if err != nil {
		return nil, err
	}
	for _, text := range given {
		if text = wp.TextField(text); text != "" {
			rows = append(rows, text)
		}
	}
	return param.Distinct(rows), nil
}

// reference accepts the id of a post that the caller may open.
func (s *Service) reference(ctx context.Context, id int64, image bool) ([]string, error) {
	found, err := s.Content.Store.Posts.Access(ctx, []int64{id})
	if err != nil {
		return nil, err
	}
	post, ok := found[id]
	switch {
	case image && (!ok || post.Type != schema.TypeAttachment):
		return nil, param.Invalid("fault_own_image")
	case !image && (!ok || !s.Content.Types.CanOpen(ctx, post)):
		return nil, param.Invalid("fault_own_post")
	}
	return row(strconv.FormatInt(id, 10)), nil
}

// reference returns the id that a row contains, or "" if there is none.
func reference(text string) string {
	if id, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64); err == nil && id > 0 {
		return strconv.FormatInt(id, 10)
	}
	return ""
}
