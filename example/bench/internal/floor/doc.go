// Package floor answers the reads of a calendar with as little as can be done:
// hand-written statements over database/sql fetch the same rows as the calendar
// shows, and the columns go out as they were scanned, without rendering and
// without a web framework. What the calendar needs beyond this is its own cost.
//
// It knows the stored names of a site that renamed nothing, and one occurrence
// per event.
package floor
