// Package celldate reads the dates and times that people and spreadsheets write into the cells of a table:
// in numbers and in the words of several languages, in one cell or in two.
//
// A time that is given is never dropped: all of a text is understood, or it is refused with the reason.
package celldate
