package replay

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// columns returns the columns to read from a table. A leading # marks a number.
func columns(names string) []string { return strings.Fields(names) }

var (
	postColumns = columns(`#post_author post_date post_date_gmt post_content post_title post_excerpt post_status comment_status ping_status
		post_password post_name post_modified post_modified_gmt #post_parent guid #menu_order post_type post_mime_type #comment_count`)
	termColumns       = columns("t.name t.slug #t.term_group tt.taxonomy tt.description #tt.parent #tt.count")
	occurrenceColumns = columns("start_date end_date start_date_utc end_date_utc #duration")
	eventColumns      = append(columns("timezone"), occurrenceColumns...)
	metaColumns       = columns("meta_key meta_value")
	taggedColumns     = columns("tt.taxonomy t.slug")
)

const taggedFrom = "?term_relationships r join ?term_taxonomy tt using(term_taxonomy_id) join ?terms t using(term_id) " +
	"where r.object_id=%d order by tt.taxonomy,t.slug"

// rows compares the rows of the line's posts or term, if both the recording and the run contain them.
func (p *player) rows(ctx context.Context, l *line) (out []Difference, err error) {
	if p.db == nil {
		return nil, nil
	}
	c := *p.c
	c.anyOrder = true
	compare := func(recorded json.RawMessage, at string, read func() (any, error)) error {
		if !given(recorded) {
			return nil
		}
		want, err := decode(recorded)
		if err != nil {
			return err
		}
		got, err := read()
		out = append(out, c.compare(inside(groupMeta)(want), inside(groupMeta)(got), at)...)
		return err
	}
	err = compare(l.Answer.Rows, "rows", func() (any, error) { return p.stored(ctx, l) })
	for _, id := range slices.Sorted(maps.Keys(l.Answer.Posts)) {
		err = cmp.Or(err, compare(l.Answer.Posts[id], fmt.Sprintf("rows of %d", id), func() (any, error) { return p.post(ctx, id) }))
	}
	return out, cmp.Or(err, compare(l.Answer.Terms, "terms", func() (any, error) {
		return p.lists(ctx, taggedColumns, taggedFrom, l.TermsOf)
	}))
}

// stored reads the rows for the line's label. It returns nil if the label has no id.
func (p *player) stored(ctx context.Context, l *line) (any, error) {
	named := l.Rows
	if !given(named) {
		named = l.RowsTerm
	}
	of, err := decode(named)
	if label, isText := of.(string); isText {
		of = p.c.labels[label]
	}
	id, invalid := strconv.ParseInt(show(of), 10, 64)
	if err != nil || invalid != nil || id == 0 {
		return nil, err
	}
	if given(l.RowsTerm) {
		return p.objects(ctx, termColumns, "?terms t join ?term_taxonomy tt using(term_id) where t.term_id=%d order by tt.taxonomy", id)
	}
	return p.post(ctx, id)
}

func (p *player) post(ctx context.Context, id int64) (any, error) {
	posts, err := p.objects(ctx, postColumns, "?posts where ID=%d", id)
	if err != nil {
		return nil, err
	}
	o := object{{"post", nil}}
	if len(posts) > 0 {
		o[0].val = posts[0]
	}
	for _, part := range []struct {
		name  string
		read  func(context.Context, []string, string, int64) ([]any, error)
		cols  []string
		where string
	}{
		{"meta", p.lists, metaColumns, "?postmeta where post_id=%d order by meta_key,meta_id"},
		{"terms", p.lists, taggedColumns, taggedFrom},
		{"tec_events", p.objects, eventColumns, "?tec_events where post_id=%d"},
		{"tec_occurrences", p.objects, occurrenceColumns, "?tec_occurrences where post_id=%d"},
	} {
		rows, err := part.read(ctx, part.cols, part.where, id)
		if err != nil {
			return nil, err
		}
		o = append(o, member{part.name, rows})
	}
	return o, nil
}

// objects reads rows as objects whose keys are the columns.
func (p *player) objects(ctx context.Context, cols []string, from string, id int64) ([]any, error) {
	lists, err := p.lists(ctx, cols, from, id)
	for i, row := range lists {
		o := object{}
		for j, v := range row.([]any) {
			name := strings.TrimPrefix(cols[j], "#")
			o = append(o, member{name[strings.LastIndex(name, ".")+1:], v})
		}
		lists[i] = o
	}
	return lists, err
}

// lists reads rows as lists of values. A ? stands for the table prefix. Every column is read as a string, so that the
// values do not depend on the driver and the options of the connection.
func (p *player) lists(ctx context.Context, cols []string, from string, id int64) ([]any, error) {
	texts := make([]string, len(cols))
	for i, c := range cols {
		texts[i] = "cast(" + strings.TrimPrefix(c, "#") + " as char)"
	}
	from = strings.ReplaceAll(fmt.Sprintf(from, id), "?", p.prefix)
	rows, err := p.db.QueryContext(ctx, "select "+strings.Join(texts, ",")+" from "+from)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []any{}
	for rows.Next() {
		row, err := scanRow(rows, cols)
		if err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, rows.Err()
}

func scanRow(rows *sql.Rows, cols []string) ([]any, error) {
	texts, into := make([]sql.NullString, len(cols)), make([]any, len(cols))
	for i := range texts {
		into[i] = &texts[i]
	}
	if err := rows.Scan(into...); err != nil {
		return nil, err
	}
	row := make([]any, len(cols))
	for i, t := range texts {
		switch {
		case !t.Valid:
		case strings.HasPrefix(cols[i], "#"):
			row[i] = json.Number(t.String)
		default:
			row[i] = strings.ToValidUTF8(t.String, "\uFFFD")
		}
	}
	return row, nil
}

// ignoredMeta contains meta keys that only WordPress's editor writes, or that this project omits on purpose.
var ignoredMeta = columns(`_edit_lock _edit_last _pingme _encloseme _VenueDescription _OrganizerDescription _VenueVenueID
	_agenda_unlinked_events`)

// groupMeta converts the list of meta rows to an object of lists, without values that differ in every run.
func groupMeta(o object) any {
	return o.with("meta", func(v any) any {
		pairs, _ := v.([]any)
		grouped := object{}
		for _, p := range pairs {
			pair := p.([]any)
			key, value := show(pair[0]), pair[1]
			if slices.Contains(ignoredMeta, key) || strings.HasPrefix(key, "_Venuepost_") || strings.HasPrefix(key, "_Organizerpost_") {
				continue
			}
			if key == "_tribe_modified_fields" || key == "_wp_trash_meta_time" {
				value = "(moments)"
			}
			if !grouped.has(key) {
				grouped = append(grouped, member{key, []any{}})
			}
			grouped = grouped.with(key, func(list any) any { return append(list.([]any), value) })
		}
		return grouped
	})
}
