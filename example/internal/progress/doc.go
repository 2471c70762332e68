// Package progress shows the progress of long work on a terminal or in a log.
package progress
