// Package exercises holds the recipes of docs/contributing.md as patches, as somebody who follows
// them would write them. With the tag exercises its test counts the files of Go that each takes,
// makes the changes one after the other, builds what comes of them once and asks that.
//
// The texts of the language were translated when its patch was made. Texts that came later are
// missing there, and are English where they are shown, as the test expects.
package exercises
