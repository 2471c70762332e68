package exchange

// Action is what became of an item.
type Action string

// The actions.
const (
	Created   Action = "created"
	Updated   Action = "updated"
	Unchanged Action = "unchanged"
	Refused   Action = "refused" // see Problems
	Skipped   Action = "skipped" // it is in the trash, or of others: see Foreign
	Gone      Action = "gone"    // it is in the source no more
	Trashed   Action = "trashed" // it was, by Prune
)

// Outcome is what became of an item of a source.
type Outcome struct {
	Action Action
	Kind   Collection
	ID     int64 // 0 for none
	Name   string
	Place  SourceLine

	// Foreign reports that a skipped item is one of another source, whose name is Owner, or one
	// of the site, whose is "". Importer.Trust would change it.
	Foreign bool
	Owner   string

	// Problems are why it was refused, or which parts of it were left out.
	Problems []*Problem

	// Notes are what else is worth knowing, such as an image that could not be fetched.
	Notes []string

	// Linked are the venues, organizers and terms that were made for it.
	Linked []Outcome

	// At is how many of the source's items were read by then.
	At int64
}

// Summary counts the outcomes of an import by kind and action.
type Summary struct {
	Counts   map[Collection]map[Action]int64
	Problems int64 // items that were refused or lack a part

	kinds []Collection // in their order
}

// Kinds returns the kinds that Counts has, events first, then what they link in the order of answers.
func (s *Summary) Kinds() (list []Collection) {
	for _, kind := range s.kinds {
		if s.Counts[kind] != nil {
			list = append(list, kind)
		}
	}
	return list
}

func (s *Summary) add(o Outcome) {
	if s.Counts[o.Kind] == nil {
		s.Counts[o.Kind] = map[Action]int64{}
	}
	s.Counts[o.Kind][o.Action]++
	if len(o.Problems) > 0 || o.Action == Refused {
		s.Problems++
	}
}
