// Package exercises contains the recipes of docs/recipes.md as patches, in the way that a contributor who follows
// them would write them. With the tag exercises, its test counts the Go files that each recipe changes, applies all
// patches to one copy of the tree, and runs the tests of every package there that depends on the changes.
//
// The texts of the language were translated when its patch was written. For texts that were added later, the test uses
// the English ones, marked with the language.
package exercises
