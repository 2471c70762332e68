// Package floor answers the reads of a calendar with as little work as
// possible: hand-written statements over database/sql fetch the rows that the
// calendar shows, and the columns are written as they were scanned, without
// rendering and without a web framework. What the calendar takes beyond this is
// its own cost.
//
// Totals are counted once, as in a calendar while nothing changes, so neither counts
// while it is measured. The floor does not ask whether anything has changed: it is for
// databases that do not, and that question is a cost of the calendar. Whole answers are
// not cached here, nor in the calendar that a floor is compared with.
//
// It reads a site with the default stored names, and one occurrence per event.
package floor
