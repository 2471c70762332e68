// Package measure measures a calendar over HTTP and compares it with its floor: the same rows, read by hand-written
// statements and written without rendering.
//
// The calendar that is compared creates each answer. Cached answers are measured separately, on another calendar, and
// only if they took no statements. The first answer after a change is compared with that of a third calendar, which
// caches nothing.
//
// All are separate servers, usually in separate processes, so that their memory and allocations can be measured
// separately, and without those of the clients. The clients alternate between them in short slices, so that other load
// of the machine affects all of them.
package measure
