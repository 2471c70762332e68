package item

import (
	"context"
	"strconv"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// Names of fields that all resources of posts share.
const (
	fieldAuthor      param.Key[int64]               = "author"
	fieldDate        param.Key[string]              = content.FieldDate
	fieldDateUTC     param.Key[string]              = content.FieldDateUTC
	fieldDescription param.Key[string]              = "description"
	fieldSlug        param.Key[string]              = "slug"
	fieldExcerpt     param.Key[string]              = content.FieldExcerpt
	fieldStatus      param.Key[string]              = content.FieldStatus
	fieldImage       param.Key[*content.ImageField] = content.FieldImage
	fieldAlt         param.Key[string]              = content.FieldAlt

	fieldTranslationOf param.Key[int64] = content.FieldTranslationOf
)

// Shared contains the fields that all resources of posts share.
type Shared struct {
	ID, Author, Status, Date, DateUTC, Modified, ModifiedUTC, URL                  *Field
	Title, TitleRaw, Description, DescriptionRaw, Excerpt, ExcerptRaw, Slug, Image *Field
	ImageAlt, GlobalID, Lineage, Language, Translations, TranslationOf             *Field
}

// SharedOptions contains what differs between resources in the shared fields.
type SharedOptions struct {
	Docs                map[string]string // message ids of the parameters of writes, by field
	Title               param.Key[string] // name of the field that contains the title
	Example, Slug, Page string            // examples of a title, a slug and a URL
	Sparse              bool              // empty strings are omitted
	TextsOnly           bool              // a password empties strings and hides nothing else
}

// Shared declares the fields that all resources of posts share.
func (s *Service) Shared(o SharedOptions) *Shared {
	some := jsonschema.Text()
	if o.Sparse {
		some = some.Chars(1, 0)
	}
	emptied := some // schema of a string that a password may have emptied
	if o.TextsOnly {
		emptied = jsonschema.Text()
	}
	text := func(name string, takes *jsonschema.Schema, value func(*Item) string) *Field {
		return &Field{Name: name, Shape: takes, Text: value, Sparse: o.Sparse}
	}
	maybe := func(name string, takes *jsonschema.Schema, masked string, value func(*Item) string) *Field {
		return &Field{Name: name, Shape: takes, Text: value, Sparse: o.Sparse, Maybe: o.Sparse, Masked: masked}
	}
	raw := func(name string, value func(*Item) string) *Field {
		return &Field{Name: name, Shape: jsonschema.Text(), Text: value, In: InEditing, Masked: Omitted}
	}
	id := jsonschema.Text().Example("example.org?id=123")
	f := &Shared{
		ID: &Field{Name: "id", Shape: jsonschema.Int().Example(123), Value: func(w *phpjson.Writer, it *Item) { w.Int(it.ID()) }},
		Author: maybe(string(fieldAuthor), some.Example("2"), "",
			func(it *Item) string { return strconv.FormatInt(it.Post.Author, 10) }),
		Status:         text(string(fieldStatus), some.Example("publish"), func(it *Item) string { return it.Post.Status }),
		Date:           text(string(fieldDate), moment(), func(it *Item) string { return it.Post.Date }),
		DateUTC:        text(string(fieldDateUTC), moment(), func(it *Item) string { return it.Post.DateUTC }),
		Modified:       text("modified", moment(), func(it *Item) string { return it.Post.Modified }),
		ModifiedUTC:    text("modified_utc", moment(), func(it *Item) string { return it.Post.ModifiedUTC }),
		URL:            text("url", some.Example(o.Page), func(it *Item) string { return it.Link() }),
		Title:          maybe(string(o.Title), some.Example(o.Example), "", func(it *Item) string { return it.View.Title(it.Post) }),
		TitleRaw:       raw("title_raw", func(it *Item) string { return it.Post.Title }),
		Description:    maybe(string(fieldDescription), emptied, `""`, func(it *Item) string { return it.Content(it.Post) }),
		DescriptionRaw: raw("description_raw", func(it *Item) string { return it.Post.Content }),
		Excerpt:        maybe(string(fieldExcerpt), emptied, `""`, func(it *Item) string { return it.View.Excerpt(it.Post) }),
		ExcerptRaw:     raw("excerpt_raw", func(it *Item) string { return it.Post.Excerpt }),
		Slug:           maybe(string(fieldSlug), some.Example(o.Slug), "", func(it *Item) string { return it.Post.Name }),
		Image:          imageField(o),
		ImageAlt:       altField(),
		GlobalID:       &Field{Name: "global_id", Shape: id, Text: func(it *Item) string { return it.View.GlobalID(it.ID()) }},
		Lineage: &Field{Name: "global_id_lineage", Shape: jsonschema.List(id), Keys: []string{schema.MetaGlobalIDLineage},
			Value: writeLineage},
		Language: languageField(func(it *Item) string { return it.Versions.postLanguage(it.Post) }),
		Translations: translationsField(func(w *phpjson.Writer, it *Item) {
			it.Versions.writePosts(it.Ctx, w, it.Post)
		}),
		TranslationOf: s.translationOf(),
	}
	f.Description.Texts, f.DescriptionRaw.Texts, f.Excerpt.Texts, f.ExcerptRaw.Texts = store.Contents, store.Contents, store.Excerpts,
		store.Excerpts
	f.setStored()
	s.declareParams(f, o)
	return f
}

// setStored sets Field.Stored of the shared fields: writes accept the stored texts rather than the rendered ones. The
// author and the image are not included, because their ids have no meaning on another site.
func (f *Shared) setStored() {
	f.Title.Stored = func(it *Item) any { return it.Post.Title }
	f.Description.Stored = func(it *Item) any { return it.Post.Content }
	f.Excerpt.Stored = func(it *Item) any { return it.Post.Excerpt }
	f.Author.Stored, f.Image.Stored = NotStored, NotStored
	f.Date.Stored = func(it *Item) any { return published(it.Post, it.Post.Date) }
	f.DateUTC.Stored = func(it *Item) any { return published(it.Post, it.Post.DateUTC) }
}

// published returns the publication date, or nil for a draft that was never published. The date column of such a draft
// only says when it was written.
func published(p *store.Post, date string) any {
	if p.DateUTC < "0001" {
		return nil
	}
	return date
}

// NotStored is a Field.Stored for a field whose value is not part of the item itself.
func NotStored(*Item) any { return nil }

func writeLineage(w *phpjson.Writer, it *Item) {
	w.Array()
	w.String(it.View.GlobalID(it.ID()))
	for _, id := range it.Meta[schema.MetaGlobalIDLineage] {
		w.String(id)
	}
	w.End()
}

// imageField returns the field for the featured image. Without an image, the member is omitted if o.Sparse is set, and
// false otherwise.
func imageField(o SharedOptions) *Field {
	f := &Field{Name: string(fieldImage), Shape: imageShape(), Masked: "false", Keys: []string{schema.MetaThumbnailID}, Maybe: o.Sparse}
	f.Value = func(w *phpjson.Writer, it *Item) {
		if image, ok := it.Images.Featured(it.Meta); ok {
			image.Write(w)
		} else {
			w.Bool(false)
		}
	}
	if o.Sparse {
		f.Absent = func(it *Item) bool { _, ok := it.Images.Featured(it.Meta); return !ok }
	}
	f.Shape = jsonschema.OneOf(f.Shape, jsonschema.Only(false)).As("ImageOrFalse").Doc("doc_field_image")
	return f
}

// altField returns the field for the alternative text of the image, for people who cannot see it. The API of The Events
// Calendar lacks it.
func altField() *Field {
	return &Field{
		Name: string(fieldAlt), Shape: jsonschema.Text().Example("A band on an open-air stage"), Masked: Omitted, Sparse: true, Maybe: true,
		Keys: []string{schema.MetaThumbnailID}, Stored: NotStored,
		Text: func(it *Item) string {
			image, _ := it.Images.Featured(it.Meta)
			return image.Alt()
		},
		Param: func(bool) *param.Param {
			return fieldAlt.Param(jsonschema.Text().Example("A band on an open-air stage"), param.Checked(param.String),
				param.Doc("param_image_alt"))
		},
		Apply: func(_ context.Context, in *Input, e *content.Edit) error {
			if given := fieldAlt.Given(in.Values); given != nil {
				e.Describe(wp.TextField(*given))
			}
			return nil
		},
	}
}

// declareParams declares the parameters of the shared fields.
func (s *Service) declareParams(f *Shared, o SharedOptions) {
	doc := param.DocIn(o.Docs)
	text := func(f *Field, takes *jsonschema.Schema, rule param.Rule[string], more ...param.Option) {
		key := param.Key[string](f.Name)
		f.Param = func(bool) *param.Param { return key.Param(takes, rule, append(more, doc)...) }
	}
	when := func(f *Field) {
		key := param.Key[string](f.Name)
		f.Param = func(nested bool) *param.Param {
			takes := givenMoment()
			if nested { // a number of seconds is accepted too
				takes = jsonschema.OneOf(takes, jsonschema.Int())
			}
			return key.Param(takes, s.MomentRule(), doc)
		}
	}
	anyText, filled := param.Checked(param.String), param.Checked(param.Filled)
	f.Author.Param = func(bool) *param.Param {
		return fieldAuthor.Param(jsonschema.Int().From(1).Example(2), param.LookedUp(userID, s.knownUser), doc)
	}
	when(f.Date)
	when(f.DateUTC)
	text(f.Title, jsonschema.Text().Chars(1, 0).Example(o.Example), filled, param.EmojiEncoded())
	f.Title.Required = true
	text(f.Description, jsonschema.Text().Example("<p>An evening in the open air.</p>"), anyText, param.EmojiEncoded())
	text(f.Slug, jsonschema.Text().Chars(1, 0).Example("summer-concert"), filled)
	text(f.Excerpt, jsonschema.Text(), anyText, param.EmojiEncoded())
	text(f.Status, statusShape(), param.Checked(checkStatus))
	f.Image.Param = func(bool) *param.Param {
		takes := jsonschema.OneOf(jsonschema.Int().From(0), jsonschema.Text(), jsonschema.Only(false), jsonschema.Null())
		return fieldImage.Param(takes.As("ImageInput").Example(45), param.LookedUp(checkImage, s.storedImage), doc,
			param.AnyType(), param.Null(), param.TakesFile())
	}
}

// NewInput reads the shared fields from the parameters of a request.
func NewInput(v *param.Values, title param.Key[string]) *Input {
	f := &content.Fields{
		TitleField: string(title), Author: fieldAuthor.Given(v), Date: fieldDate.Given(v), DateUTC: fieldDateUTC.Given(v),
		Title: title.Given(v), Description: fieldDescription.Given(v), Excerpt: fieldExcerpt.Given(v), Slug: fieldSlug.Given(v),
		Status: fieldStatus.Given(v), DateNames: param.InOrder(v, fieldDate, fieldDateUTC),
	}
	if fieldImage.IsGiven(v) {
		if f.Image = fieldImage.Value(v); f.Image == nil {
			f.Image = &content.ImageField{}
		}
	}
	return &Input{Values: v, Shared: f, Images: []*content.Fields{f}}
}
