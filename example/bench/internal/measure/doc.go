// Package measure measures a calendar over HTTP beside its floor: the same rows
// fetched with hand-written statements and written out without rendering.
//
// Both are servers of their own, as a rule processes of their own, so that the
// memory and the allocations of the one are neither those of the other nor those
// of the clients. The clients take turns between them in short slices, so that
// whatever else the machine does meets both.
package measure
