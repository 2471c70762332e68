package media

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/test/must"
)

// progressiveFile returns a grey progressive JPEG with a number of scans, each of which covers all blocks in a few
// bytes. sampling contains the sampling factors of its components.
func progressiveFile(w, h, scans int, sampling ...byte) []byte {
	var b bytes.Buffer
	b.Write([]byte{0xFF, startOfImage})
	segment := func(marker byte, data ...byte) {
		b.Write([]byte{0xFF, marker})
		b.Write(binary.BigEndian.AppendUint16(nil, uint16(len(data)+2)))
		b.Write(data)
	}
	segment(0xDB, append([]byte{0}, bytes.Repeat([]byte{1}, 64)...)...)
	frame := []byte{8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), byte(len(sampling))}
	for i, s := range sampling {
		frame = append(frame, byte(i+1), s, 0)
	}
	segment(progressive, frame...)
	code := func(class, symbol byte) { // the code 0 means symbol
		segment(0xC4, append(append([]byte{class << 4, 1}, make([]byte, 15)...), symbol)...)
	}
	code(0, 0)    // no difference
	code(1, 0xE0) // 16,384 empty blocks
	columns, rows := 0, 0
	for _, s := range sampling {
		columns, rows = max(columns, int(s>>4)), max(rows, int(s&15))
	}
	for i, s := range sampling {
		across := (w*int(s>>4)/columns + 7) / 8
		blocks := across * ((h*int(s&15)/rows + 7) / 8)
		segment(startOfScan, 1, byte(i+1), 0, 0, 0, 0)
		b.Write(make([]byte, (blocks+7)/8))
	}
	for n := len(sampling); n < scans; n++ {
		s := sampling[0]
		blocks := (w*int(s>>4)/columns + 7) / 8 * ((h*int(s&15)/rows + 7) / 8)
		segment(startOfScan, 1, 1, 0, 1, 63, 0x10)
		b.Write(make([]byte, (blocks+16383)/16384*2)) // 15 bits each, and some spare ones
	}
	b.Write([]byte{0xFF, 0xD9})
	return b.Bytes()
}

// TestScansAreBounded checks that JPEG files with more than 100 scans are rejected while their segments are read: each
// scan covers the whole picture in a few bytes. Ordinary files have about ten.
func TestScansAreBounded(t *testing.T) {
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"10":  {progressiveFile(64, 64, 10, 0x22, 0x11, 0x11), ""},
		"100": {progressiveFile(64, 64, 100, 0x22, 0x11, 0x11), ""},
		"101": {progressiveFile(64, 64, 101, 0x22, 0x11, 0x11), reasonScans},
		"after bytes that do not belong there": {bytes.Replace(progressiveFile(64, 64, 101, 0x11),
			[]byte{0xFF, progressive}, []byte{7, 7, 0xFF, 0, 0xFF, 0xD3, 0xFF, 0xFF, progressive}, 1), reasonScans},
		"which is progressive nevertheless": {bytes.Replace(progressiveFile(7200, 5400, 3, 0x22, 0x11, 0x11),
			[]byte{0xFF, progressive}, []byte{7, 7, 0xFF, 0, 0xFF, 0xD3, 0xFF, 0xFF, progressive}, 1), reasonProgressive},
		"in metadata": {bytes.Replace(progressiveFile(64, 64, 3, 0x11), []byte{0xFF, 0xDB},
			append([]byte{0xFF, 0xE5, 1, 0x2E}, append(bytes.Repeat([]byte{0xFF, startOfScan}, 150), 0xFF, 0xDB)...), 1), ""},
	} {
		img, err := inspect(c.file, defaultMaxPixels, defaultMaxDecoded)
		if reason(err) != c.want {
			t.Errorf("%s: %v", name, err)
		} else if err == nil {
			if _, err := img.decode(t.Context()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestProgressiveMemory checks that the coefficients of a progressive JPEG count, since the decoder keeps four bytes
// for each sample. Ordinary photos of 16 megapixels are accepted. Larger ones are rejected by size and format before
// anything is decoded.
func TestProgressiveMemory(t *testing.T) {
	for name, c := range map[string]struct {
		w, h     int
		sampling []byte
		want     string
	}{
		"16 megapixels":             {4928, 3264, []byte{0x22, 0x11, 0x11}, ""},
		"with all colours":          {4928, 3264, []byte{0x11, 0x11, 0x11}, ""},
		"24 megapixels":             {6000, 4000, []byte{0x22, 0x11, 0x11}, ""},
		"39 megapixels":             {7200, 5400, []byte{0x22, 0x11, 0x11}, reasonProgressive},
		"20 megapixels, all colour": {5184, 3888, []byte{0x11, 0x11, 0x11}, reasonProgressive},
	} {
		_, err := inspect(progressiveFile(c.w, c.h, 3, c.sampling...), defaultMaxPixels, defaultMaxDecoded)
		if reason(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
	turned := &Image{Mime: "image/jpeg", Width: 100, Height: 50, data: progressiveFile(100, 50, 3, 0x11), orientation: 6}
	if got := turned.workBytes(); got != 4*5000+4*5000 {
		t.Errorf("turned: %d", got)
	}
}

// TestDecodingClaimsMemory checks that decoding waits for memory in the process's budget, reserves it while it runs,
// and releases it.
func TestDecodingClaimsMemory(t *testing.T) {
	pool := budget.NewPool(1 << 20)
	other := pool.Claim(t.Context(), -1)
	must.Succeed(t, other.Wait(1<<20+budget.Free))
	beyond := pool.Claim(t.Context(), -1) // one claim may exceed the pool
	must.Succeed(t, beyond.Wait(budget.Free+1))
	ctx, cancel := context.WithTimeout(t.Context(), 120*time.Millisecond)
	defer cancel()
	s := &Store{Dir: t.TempDir()}
	img := imageOf(t, progressiveFile(640, 640, 5, 0x11))
	if _, err := s.Save(budget.With(ctx, pool.Claim(ctx, -1)), november, "pic", img, usual); !errors.Is(err, budget.ErrFull) {
		t.Errorf("without room: %v", err)
	}
	other.Release()
	beyond.Release()
	must.Get(s.Save(budget.With(t.Context(), pool.Claim(t.Context(), -1)), november, "pic", img, usual))(t)
	if n := pool.Used(); n != 0 {
		t.Errorf("%d bytes are held", n)
	}
}

// TestDecodingEndsWithItsRequest checks that decoders of all formats stop when their context ends, however few bytes
// are left.
func TestDecodingEndsWithItsRequest(t *testing.T) {
	for name, file := range map[string][]byte{
		"progressive": progressiveFile(640, 640, 100, 0x11), "JPEG": jpegFile(t, quarters(320, 320)),
		"PNG": pngFile(t, quarters(320, 320)), "GIF": gifFile(t, 320, 320, image.Rect(0, 0, 320, 320)),
	} {
		img := imageOf(t, file)
		if _, err := img.decode(&failsAfter{Context: t.Context(), left: 3}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestSlotsAreShared checks that a user gets one slot at most, and a calendar a second one only while no other calendar
// waits. A cancelled waiter gets none.
func TestSlotsAreShared(t *testing.T) {
	q := &slotQueue{free: 2, held: map[holder]int{}, stores: map[*Store]int{}}
	a, b := &Store{}, &Store{}
	type got struct {
		name    string
		release func()
	}
	granted := make(chan got, 10)
	waiting := func() int {
		q.mu.Lock()
		defer q.mu.Unlock()
		return len(q.waiting)
	}
	ask := func(ctx context.Context, name string, s *Store, user string) {
		before := waiting()
		go func() {
			release, err := q.acquire(ctx, holder{s, user})
			if err != nil {
				name = ""
			}
			granted <- got{name, release}
		}()
		for waiting() == before && len(granted) == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	next := func(want string) func() {
		t.Helper()
		g := <-granted
		if g.name != want {
			t.Fatalf("%q has the slot, not %q", g.name, want)
		}
		return g.release
	}
	ask(t.Context(), "first", a, "1")
	first := next("first")
	ask(t.Context(), "first again", a, "1") // a slot is free, but not for the same user
	leaving, leave := context.WithCancel(t.Context())
	ask(leaving, "leaving", a, "1")
	leave()
	next("")
	ask(t.Context(), "second", a, "2")
	second := next("second") // no other calendar waits
	ask(t.Context(), "third", a, "3")
	ask(t.Context(), "other", b, "1")
	first()
	other := next("other") // although two asked earlier
	second()
	again := next("first again")
	other()
	third := next("third")
	again()
	third()
	if q.free != 2 || len(q.held)+len(q.stores)+len(q.waiting) != 0 {
		t.Errorf("%+v", q)
	}
	if h := a.holderIn(caller.With(t.Context(), &caller.Request{Principal: caller.Principal{UserID: 7}})); h != (holder{a, "7"}) {
		t.Errorf("%+v", h)
	}
}
