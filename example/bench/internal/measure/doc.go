// Package measure measures a calendar over HTTP and compares it with its floor:
// the same rows, fetched with hand-written statements and written without
// rendering.
//
// Both are separate servers, usually in separate processes, so that their memory and allocations
// can be measured separately, and without those of the clients. The clients alternate between them
// in short slices, so that other load of the machine affects both.
package measure
