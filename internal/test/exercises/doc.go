// Package exercises holds the recipes of docs/contributing.md as patches, as somebody who follows
// them would write them. With the tag exercises its test counts the files of Go that each takes, applies
// all of them to one copy of the tree, and runs there the tests of every package that depends on what
// they change.
//
// The texts of the language were translated when its patch was made. For texts that came later the test
// does the translator's work: they are the English ones, marked with the language.
package exercises
