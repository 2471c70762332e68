// Package eventlist reads pages and totals of events.
//
// A Filter consists of what every list has (who sees it, its language, its bounds, its order) and a list of conditions.
// Each kind of condition is a type in conditions.go, and implements the interfaces of the strategies that can evaluate
// it. The planner (Page and Count in list.go) uses a strategy only if every condition of the filter implements its
// interface. The general strategy needs nothing but the SQL, so a condition that the planner does not know is evaluated
// in full.
//
//   - General (general.go): selects the posts that satisfy all conditions, groups and sorts
//     them. It is correct for every filter and every table, with the table of occurrences
//     or with the meta rows, and used if no other strategy is.
//   - Index scan by start (scan.go): for pages in the order of starts, if all conditions
//     are scannable. It reads occurrences in the order of their index and evaluates the
//     conditions for each, until the page is full. It is equivalent to the general one because
//     an anti-join selects for each event the first occurrence within the bounds, which is its
//     MIN, and because all events that share a start with the first or last row of the page are
//     read and sorted. Bounds in UTC for a local order, or the reverse, restrict the index to a
//     day around them if the probe has found no starts that differ by more.
//   - Selective source (source.go): a scan that begins with the rows of the one condition
//     that few events satisfy, and sorts them; for totals too. It is equivalent because these
//     rows are exactly the condition, each event counts once (DISTINCT), and the other
//     conditions are evaluated as in a scan.
//   - Count by indexes (indexes.go): for totals, if all conditions are indexed and the
//     invariants hold: each occurrence is the only one of an existing event, and does not end
//     before it starts. Then occurrences are events: it counts those within the
//     bounds and subtracts those that are not shown, each once.
//   - Deep page (indexes.go): for pages from row 300 on, under the same invariants, if
//     all conditions exclude few events (nearlyAll). It skips the rows before the page
//     in the index of starts alone. It is equivalent because events that are not shown are
//     excluded by their ids, and the scan has the same order.
//
// Package store checks the invariants in the background (store.Probe) after a general count or a deep scan of a large
// table; until they are proved, the strategies that need them are not used. Only the choice between a scan and a
// selective source depends on earlier counts (sizes), which affects the speed and not the result. Totals are kept in
// the count cache of the store (store.Cached), in which one caller counts for all that wait.
//
// TestStrategiesAgreeWithTheGeneralOne compares all of them with the general one for random filters on random tables,
// including irregular ones. TestUnknownConditionsTakeTheGeneralStrategy shows that a condition that the planner does
// not know leads to correct pages and totals if there are many events.
package eventlist
