// Package exercises holds the recipes of docs/contributing.md as patches, as somebody who follows
// them would write them. With the tag exercises its test makes each change, counts the files that it
// takes, builds what comes of it and asks that.
package exercises
