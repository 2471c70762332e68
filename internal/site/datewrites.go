package site

import "github.com/agendahq/agenda/schema"

// setDateWrites sets what the settings say of writes of the dates of events that have several (D66): while a program is active
// on the site that makes them, they are its own, unless the host says otherwise.
func (s *Settings) setDateWrites(asked bool) {
	own := s.DateForm == schema.DatesOwn
	active := s.DateForm == schema.DatesEach || s.DateBase != 0 && !own
	s.WritesDates = asked || !active
	s.MakesDates = asked || own
}
