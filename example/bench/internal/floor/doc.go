// Package floor answers the reads of a calendar with as little work as possible: hand-written statements over
// database/sql read the rows that the calendar shows, and the columns are written as they were scanned, without
// rendering and without a web framework. What the calendar needs beyond this is its overhead.
//
// Totals are counted once, as in a calendar while nothing changes, so neither counts while it is measured. The floor
// does not check whether anything has changed: it is for databases that do not change, and that check is part of the
// calendar's overhead. Whole answers are cached neither here nor in the calendar that a floor is compared with.
//
// It reads a site with the default stored names, and one occurrence per event.
package floor
