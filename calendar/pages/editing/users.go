package editing

import "github.com/agendahq/agenda/calendar"

// mayUsers reports whether a caller may see who else writes here.
func mayUsers(p calendar.Principal) bool { return can("list_users", "create_users")(p) }
