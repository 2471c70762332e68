// Package eventlist reads pages and totals of events.
//
// A Filter is what every list has (who sees it, its language, its bounds, its order)
// and a list of conditions. Each kind of condition is one type of conditions.go, and
// implements the interfaces of the strategies that can evaluate it. The planner (Page
// and Count in list.go) takes a strategy only if every condition of the filter
// implements what it needs. The general one needs nothing but the SQL, so a condition
// that the planner does not know is evaluated in full.
//
//   - General (general.go): selects the posts with all conditions, groups and sorts
//     them. It is right for every filter and every table, with the table of occurrences
//     or with the meta rows, and taken where no other one is.
//   - Index scan by start (scan.go): for pages in the order of starts, if all conditions
//     are scannable. It reads occurrences in the order of their index and evaluates the
//     conditions for each, until the page is full. Equal to the general one because an
//     anti-join keeps of each event the first occurrence within the bounds, which is its
//     MIN, and because all events that share a start with an edge of the page are read
//     and sorted. Bounds on the other clock than that of the order narrow the index to a
//     day around them where the probe has found no starts that are further apart.
//   - Selective source (source.go): a scan that begins with the rows of the one condition
//     that few events meet, and sorts them; for totals too. Equal because these rows are
//     exactly the condition, each event counts once (DISTINCT), and the other conditions
//     are evaluated as in a scan.
//   - Count by indexes (indexes.go): for totals, if all conditions are indexed and the
//     invariants hold: each occurrence is the only one of an existing event, and ends no
//     earlier than it starts. Then occurrences are events: it counts those within the
//     bounds and subtracts those that are out of sight, each once.
//   - Deep page (indexes.go): for pages from row 300 on, under the same invariants, if
//     all conditions leave out few events (nearlyAll). It skips the rows before the page
//     in the index of starts alone. Equal because events out of sight are left out by
//     their ids, and the scan has the same order.
//
// Package store probes the invariants in the background (store.Probe) after a general
// count or a deep scan of a large table; until they are proved, the strategies that need
// them are not taken. Only the choice between a scan and a selective source depends on
// earlier counts (sizes), which decides about speed and not about the result. Totals are
// kept by the count cache of the store (store.Cached), in which one caller counts for all
// that wait (singleflight).
//
// TestStrategiesAgreeWithTheGeneralOne compares all of them with the general one on
// random filters and random tables, also irregular ones.
// TestUnknownConditionsTakeTheGeneralStrategy shows that a condition that the planner
// does not know gives right pages and totals where there are many events.
package eventlist
