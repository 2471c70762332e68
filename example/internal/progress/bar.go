package progress

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// These are the intervals at which a bar is redrawn and, without a terminal, a line is printed.
const (
	redraw   = 100 * time.Millisecond
	newLine  = 5 * time.Second
	barWidth = 24
)

// Bar returns a function that shows the progress of work: with a bar, rate and remaining time if w is a terminal, and
// with plain lines otherwise. unit is what is counted, such as "rows". A new name starts new work; what is done by then
// is not used for the rate and the remaining time.
func Bar(w io.Writer, unit string) func(name string, done, total int64) {
	terminal := false
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return newBar(w, unit, terminal, time.Now)
}

// bar shows the progress of work.
type bar struct {
	w        io.Writer
	unit     string
	terminal bool
	now      func() time.Time
	name     string
	before   int64
	start    time.Time
	shown    time.Time
}

func newBar(w io.Writer, unit string, terminal bool, now func() time.Time) func(string, int64, int64) {
	b := &bar{w: w, unit: unit, terminal: terminal, now: now}
	return b.show
}

func (b *bar) show(name string, done, total int64) {
	now := b.now()
	if name != b.name {
		b.name, b.before, b.start, b.shown = name, done, now, now
	}
	finished := done >= total
	pause := newLine
	if b.terminal {
		pause = redraw
	}
	if !finished && now.Sub(b.shown) < pause {
		return
	}
	b.shown = now
	text := b.lineText(done, total, now.Sub(b.start))
	switch {
	case !b.terminal:
		text += "\n"
	case finished:
		text = "\r\x1b[K" + text + "\n"
	default:
		text = "\r\x1b[K" + text
	}
	_, _ = io.WriteString(b.w, text) // an error must not stop the work
}

func (b *bar) lineText(done, total int64, took time.Duration) string {
	here := done - b.before
	if done >= total {
		return fmt.Sprintf("%-24s %s %s%s", b.name, Grouped(done), b.unit, rate(here, took))
	}
	text := fmt.Sprintf("%s of %s %s, %d %%%s", Grouped(done), Grouped(total), b.unit, done*100/total, rate(here, took))
	if here > 0 {
		left := time.Duration(float64(took) / float64(here) * float64(total-done))
		text += ", " + left.Round(time.Second).String() + " left"
	}
	if b.terminal {
		full := int(done * barWidth / total)
		text = "[" + strings.Repeat("#", full) + strings.Repeat(".", barWidth-full) + "] " + text
	}
	return fmt.Sprintf("%-24s %s", b.name, text)
}

// rate returns the rate as a string, or "" if too little time has passed to estimate it.
func rate(done int64, took time.Duration) string {
	if took < redraw {
		return ""
	}
	return ", " + Grouped(int64(float64(done)/took.Seconds())) + "/s"
}

// Grouped returns a number with its digits grouped by commas.
func Grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
