// Package demo contains the calendar that the standalone server shows when it starts on an empty database: the cultural
// season of Elzenburg, Aulnebourg in French, an invented town in the Brussels region where Dutch, French and English
// are spoken.
//
// The texts are written by hand in the three languages, and stored in the form of multilingual sites: every venue,
// organizer and term in each language, events in all, in two or in one. Dates are relative to the day of seeding, so
// that the calendar is always full around today.
package demo
