// Package celldate reads dates and times as people and spreadsheets write them into cells: as numbers or with words of
// several languages, in one cell or in two.
//
// It never ignores a part of a text: either all of it is understood, or it is rejected with a reason.
package celldate
