// Package house holds the rules of the house in tests: which package may import
// which, how long files and functions may be, where SQL is written. It contains
// no code of the program.
package house
