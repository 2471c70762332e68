// Package floor answers the reads of a calendar with as little work as
// possible: hand-written statements over database/sql fetch the rows that the
// calendar shows, and the columns are written as they were scanned, without
// rendering and without a web framework. What the calendar takes beyond this is
// its own cost.
//
// It reads a site with the default stored names, and one occurrence per event.
package floor
