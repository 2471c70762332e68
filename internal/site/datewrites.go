package site

import "github.com/agendahq/agenda/schema"

// setDateWrites sets whether occurrences may be written (D66). If a plugin that maintains them is active on the site,
// they may not, unless the host asks for it.
func (s *Settings) setDateWrites(asked bool) {
	own := s.DateForm == schema.DatesOwn
	active := s.DateForm == schema.DatesEach || s.DateBase != 0 && !own
	s.WritesDates = asked || !active
	s.MakesDates = asked || own
}
