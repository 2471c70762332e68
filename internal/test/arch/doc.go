// Package arch holds the rules about the code in tests: which package may import
// which, how long files and functions may be, where SQL is written. It contains
// no code of the program.
package arch
