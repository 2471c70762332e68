package transfer

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

// How often a bar is drawn again, and how often a line says how far a long table is where there is no terminal.
const (
	redraw   = 100 * time.Millisecond
	newLine  = 5 * time.Second
	barWidth = 24
)

// Bar returns a progress function for Copy that draws a bar with rate and remaining time where w is a terminal, and
// writes plain lines otherwise.
func Bar(w io.Writer) func(table string, done, total int64) {
	terminal := false
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return newBar(w, terminal, time.Now)
}

// bar shows the table that is being copied.
type bar struct {
	w        io.Writer
	terminal bool
	now      func() time.Time
	table    string
	start    time.Time
	shown    time.Time
}

func newBar(w io.Writer, terminal bool, now func() time.Time) func(string, int64, int64) {
	b := &bar{w: w, terminal: terminal, now: now}
	return b.show
}

func (b *bar) show(table string, done, total int64) {
	now := b.now()
	if table != b.table {
		b.table, b.start, b.shown = table, now, now
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
	text := b.text(done, total, now.Sub(b.start))
	switch {
	case !b.terminal:
		text += "\n"
	case finished:
		text = "\r\x1b[K" + text + "\n"
	default:
		text = "\r\x1b[K" + text
	}
	_, _ = io.WriteString(b.w, text) // a copy does not fail for want of its picture
}

func (b *bar) text(done, total int64, took time.Duration) string {
	if done >= total {
		return fmt.Sprintf("%-24s %s rows%s", b.table, grouped(done), rate(done, took))
	}
	text := fmt.Sprintf("%s of %s rows, %d %%%s", grouped(done), grouped(total), done*100/total, rate(done, took))
	if done > 0 {
		left := time.Duration(float64(took) / float64(done) * float64(total-done))
		text += ", " + left.Round(time.Second).String() + " left"
	}
	if b.terminal {
		full := int(done * barWidth / total)
		text = "[" + strings.Repeat("#", full) + strings.Repeat(".", barWidth-full) + "] " + text
	}
	return fmt.Sprintf("%-24s %s", b.table, text)
}

// rate is empty for what was over in a moment.
func rate(done int64, took time.Duration) string {
	if took < redraw {
		return ""
	}
	return ", " + grouped(int64(float64(done)/took.Seconds())) + "/s"
}

// grouped writes a number with a comma after each three digits.
func grouped(n int64) string {
	text := strconv.FormatInt(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
