package exchange

// Action is what an import did with an item.
type Action string

// These are the actions.
const (
	Created   Action = "created"
	Updated   Action = "updated"
	Unchanged Action = "unchanged"
	Refused   Action = "refused" // rejected, see Problems
	Skipped   Action = "skipped" // it is in the trash, or not from this source: see Foreign
	Gone      Action = "gone"    // the source no longer contains it
	Trashed   Action = "trashed" // it was Gone, and Prune trashed it
)

// Outcome is the result of importing an item of a source.
type Outcome struct {
	Action Action
	Kind   Collection // "" if it concerns the source and no item, such as an unknown column
	ID     int64      // 0 if there is none
	Name   string
	Place  SourceLine

	// Foreign reports that a skipped item came from another source, whose name is Owner, or was made on the site, if
	// Owner is "". Importer.Trust would change it.
	Foreign bool
	Owner   string

	// Problems contains why it was rejected, or which parts of it were left out.
	Problems []*Problem

	// Notes contains further messages, such as that an image could not be fetched.
	Notes []string

	// Linked contains the venues, organizers and terms that were created or changed because the item links them.
	Linked []Outcome

	traits []string // of an item that events link: what distinguishes it from others of the same name

	// At is the number of the source's items that had been read.
	At int64
}

// Summary counts the outcomes of an import by resource and action.
type Summary struct {
	Counts   map[Collection]map[Action]int64
	Problems int64 // items that were rejected or imported in part, and parts of the source that were left out

	kinds []Collection // in their order
}

// Kinds returns the resources that Counts contains: events first, then what they link, in the order of answers.
func (s *Summary) Kinds() (list []Collection) {
	for _, kind := range s.kinds {
		if s.Counts[kind] != nil {
			list = append(list, kind)
		}
	}
	return list
}

func (s *Summary) addOutcome(o Outcome) {
	if o.Kind != "" {
		if s.Counts[o.Kind] == nil {
			s.Counts[o.Kind] = map[Action]int64{}
		}
		s.Counts[o.Kind][o.Action]++
	}
	if len(o.Problems) > 0 || o.Action == Refused {
		s.Problems++
	}
}
