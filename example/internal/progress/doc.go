// Package progress shows on a terminal, or in a log, how far long work is.
package progress
