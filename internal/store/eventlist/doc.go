// Package eventlist reads pages and totals of events.
//
// A Filter is what every list has (who sees it, its language, its bounds, its order)
// and a list of conditions. Each kind of condition is one type of conditions.go, and
// implements the interfaces of the strategies that can evaluate it. The planner (Page
// and Count in list.go) takes a strategy only if every condition of the filter
// implements what it needs; the general one needs nothing but the SQL, so that a
// condition which nobody told the planner about is evaluated in full.
//
//   - General (general.go): selects the posts with all conditions, groups and sorts
//     them. It is right for every filter and every table, with the table of occurrences
//     or with the meta rows, and taken where no other one is.
//   - Index scan by start (scan.go): for pages in the order of starts, if all conditions
//     are scannable. Reads occurrences in the order of their index and looks the rest up
//     for each, until the page is full. Equal to the general one because an anti-join
//     keeps of each event the first occurrence within the bounds, which is its MIN, and
//     because the events that share a start with the edge of the page are read whole,
//     and put in the order of their ties.
//   - Selective source (source.go): a scan that starts from the rows of the one condition
//     that few events meet, and sorts them; for totals too. Equal because that
//     condition is exact by these rows, each event counts once (DISTINCT), and the others
//     are looked up as in a scan.
//   - Count by indexes (indexes.go): for totals, if all conditions are indexed and the
//     invariants hold: each occurrence is the only one of an event that exists, and ends
//     no earlier than it starts. Then events are occurrences, and it counts these within
//     the bounds and takes off those that are out of sight, each once.
//   - Deep page (indexes.go): for pages from row 300 on, under the same invariants, if
//     all conditions leave out few events (nearlyAll). Passes over the rows before the page
//     in the index of starts alone. Equal because what is out of sight is left out by its
//     ids, and the scan has the same order.
//
// The invariants are probed in the background by package store (Store.Probe), when a
// general count or a deep scan finds that there is much; while they are not proved, the
// strategies that need them are not taken. Only the choice between a scan and a
// selective source depends on what is remembered of earlier counts (sizes): it decides
// about speed and not about the result. Totals are kept by the count cache of the store
// (Store.Kept), where one caller counts for all that wait (singleflight).
//
// TestStrategiesAgreeWithTheGeneralOne compares all of them with the general one on
// random filters and random tables, also irregular ones.
// TestUnknownConditionsTakeTheGeneralStrategy holds that a condition which the planner
// does not know gives right pages and totals where there are many events.
package eventlist
