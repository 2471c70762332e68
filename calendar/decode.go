package calendar

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/agendahq/agenda/internal/item"
)

// reader builds a Go value from the members of an item. They are given as the item's fields write them, or as JSON of
// the API.
type reader interface {
	// set reads a member. It ignores unknown ones.
	set(name string, m member) error
	// own returns where the values of the host's own fields are.
	own() *map[string]any
	// end is called after the last member, with the whole object as JSON.
	end(whole []byte)
}

// member is the value of a member of an item.
type member struct{ item.Member }

// decode reads the JSON object of an item. types are the types of the host's own fields, by name.
func decode(data []byte, r reader, types map[string]string) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	for name, value := range members {
		if err := setMember(r, types, name, member{item.Member{JSON: value}}); err != nil {
			return err
		}
	}
	r.end(data)
	return nil
}

// UnmarshalJSON reads an event in the form of the API's answers.
func (e *Event) UnmarshalJSON(data []byte) error {
	r := &eventReader{}
	if err := decode(data, r, nil); err != nil {
		return fmt.Errorf("calendar: reading an event: %w", err)
	}
	*e = r.Event
	return nil
}

// UnmarshalJSON reads a venue in the form of the API's answers.
func (v *Venue) UnmarshalJSON(data []byte) error {
	*v = Venue{}
	if err := decode(data, v, nil); err != nil {
		return fmt.Errorf("calendar: reading a venue: %w", err)
	}
	return nil
}

// UnmarshalJSON reads an organizer in the form of the API's answers.
func (o *Organizer) UnmarshalJSON(data []byte) error {
	*o = Organizer{}
	if err := decode(data, o, nil); err != nil {
		return fmt.Errorf("calendar: reading an organizer: %w", err)
	}
	return nil
}

// UnmarshalJSON reads a category or tag in the form of the API's answers.
func (t *Term) UnmarshalJSON(data []byte) error {
	*t = Term{}
	if err := decode(data, t, nil); err != nil {
		return fmt.Errorf("calendar: reading a term: %w", err)
	}
	return nil
}

// coordinate reads a number, or nil for null.
func (m member) coordinate(into **float64) error { return json.Unmarshal(m.JSON, into) }

// utc reads a date in UTC. It returns the zero time if the value is not a date.
func (m member) utc() time.Time { return item.Wall(m.StringValue()) }

// translations reads the versions in other languages: an object, or an empty list on a site without translations.
func (m member) translations(into *map[string]Translation) error {
	if m.Kind() != '{' {
		return nil
	}
	return json.Unmarshal(m.JSON, into)
}

// intoImage and intoAlt read the two members from which an Image is made, in either order. Only an item with an image
// has the second one, its alternative text.
func (m member) intoImage(i **Image) {
	read := m.image()
	if read != nil && *i != nil {
		read.Alt = (*i).Alt
	}
	*i = read
}

func (m member) intoAlt(i **Image) {
	if *i == nil {
		*i = &Image{}
	}
	(*i).Alt = m.StringValue()
}

// image returns an image, or nil if there is none or if its members are not of the expected types: they are shown as
// stored, and any program may have stored them.
func (m member) image() *Image {
	type size struct {
		URL           any
		Width, Height int64
	}
	var in struct {
		size
		ID    int64
		Sizes json.RawMessage
	}
	if m.Kind() != '{' || json.Unmarshal(m.JSON, &in) != nil {
		return nil
	}
	sizes := map[string]size{}
	if (item.Member{JSON: in.Sizes}).Kind() == '{' && json.Unmarshal(in.Sizes, &sizes) != nil {
		return nil
	}
	address := func(v any) string {
		s, _ := v.(string)
		return s
	}
	image := &Image{ID: in.ID, URL: address(in.URL), Width: in.Width, Height: in.Height, Sizes: map[string]ImageSize{}}
	for name, s := range sizes {
		image.Sizes[name] = ImageSize{address(s.URL), s.Width, s.Height}
	}
	return image
}

// many reads an object, a list of objects or an empty list. types are the types of the host's own fields, by name.
func many[T any, P interface {
	*T
	reader
}](m member, into *[]T, types map[string]string) error {
	*into = nil
	var list []json.RawMessage
	switch m.Kind() {
	case '{':
		list = []json.RawMessage{m.JSON}
	case '[':
		if string(m.JSON) == "[]" {
			return nil
		}
		if err := json.Unmarshal(m.JSON, &list); err != nil || len(list) == 0 {
			return err
		}
	default:
		return nil
	}
	*into = make([]T, len(list))
	for i, one := range list {
		if err := decode(one, P(&(*into)[i]), types); err != nil {
			return err
		}
	}
	return nil
}
