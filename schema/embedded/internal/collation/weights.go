package collation

import (
	"sync"
	"sync/atomic"
	"unicode"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/unicode/rangetable"
)

// Strings are compared by the weights of their characters, one character at a time. MariaDB uses the first level of
// Unicode 5.2's table; golang.org/x/text has a later one (6.2, in the order of the CLDR). The differences are corrected
// here: characters that 5.2 lacks get a weight from their code point, and some symbols have another position (see
// moved).

// maxWeights is the number of weights of a character that MariaDB uses. Only one ligature has more.
const maxWeights = 8

// x/text's first weight for characters outside its table, by group. The code point is added.
const (
	implicitUnified = 0x10000 // unified Chinese characters of the first block
	implicitRare    = 0x20000 // unified Chinese characters of the extensions
	implicitOther   = 0x50000 // all other characters
)

// The upper half of MariaDB's weights for such characters.
const (
	baseUnified = 0xFB40
	baseRare    = 0xFB80
	baseOther   = 0xFBC0
)

// page contains the weights of 256 characters.
type page [256][]uint32

// table computes pages when they are first used: most sites need three or four of the 4,352.
type table struct {
	mu       sync.Mutex
	collator *collate.Collator
	buffer   collate.Buffer
	known    *unicode.RangeTable // the characters of Unicode 5.2
	places   map[uint32]uint32   // from x/text's weight to MariaDB's, where the order differs
	alone    map[rune][]uint32   // characters that x/text treats as another character
	ascii    [128]uint32         // 0 means that the character is ignored
	space    uint32
	pages    [(unicode.MaxRune + 1) / 256]atomic.Pointer[page]
}

// weights returns the table, which is created at the first comparison, so that programs that do not use the embedded
// database need not create it.
var weights = sync.OnceValue(newTable)

func newTable() *table {
	t := &table{
		collator: collate.New(language.Und, collate.Loose),
		known:    rangetable.Assigned("5.2.0"),
		places:   map[uint32]uint32{},
		alone:    map[rune][]uint32{},
	}
	t.correct()
	for c := range t.ascii {
		if w := t.compute(rune(c)); len(w) == 1 {
			t.ascii[c] = w[0]
		}
	}
	t.space = t.ascii[' ']
	return t
}

// weights returns the weights of a character, none if it is ignored.
func (t *table) weights(r rune) []uint32 {
	p := t.pages[r>>8].Load()
	if p == nil {
		p = t.fill(r >> 8)
	}
	return p[r&0xFF]
}

func (t *table) fill(number rune) *page {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p := t.pages[number].Load(); p != nil {
		return p
	}
	p := new(page)
	for i := range p {
		p[i] = t.compute(number<<8 | rune(i))
	}
	t.pages[number].Store(p)
	return p
}

func (t *table) compute(r rune) []uint32 {
	if w, ok := t.alone[r]; ok {
		return w
	}
	if base := t.numbered(r); base != 0 {
		return []uint32{implicit(base, r)}
	}
	var out []uint32
	for _, p := range t.primaries(r) {
		out = append(out, t.weight(p))
	}
	return out[:min(len(out), maxWeights)]
}

// numbered returns the base of the weights of a character that is sorted by its code point, and 0 for other characters.
func (t *table) numbered(r rune) uint32 {
	switch {
	case r >= 0x4E00 && r <= 0x9FA5:
		return baseUnified
	case r >= 0x3400 && r <= 0x4DB5:
		return baseRare
	case r >= 0xAC00 && r <= 0xD7A3, // Korean syllables are not decomposed
		r >= 0x9FA6 && r <= 0x9FFF,
		r >= 0x20000 && r <= 0x2F7FF,
		!unicode.Is(t.known, r):
		return baseOther
	}
	return 0
}

func implicit(base uint32, r rune) uint32 {
	return (base+uint32(r)>>15)<<16 | uint32(r)&0x7FFF | 0x8000
}

// weight returns the weight for one of x/text's, multiplied so that moved symbols fit in between.
func (t *table) weight(p uint32) uint32 {
	switch {
	case p >= implicitOther:
		return implicit(baseOther, rune(p-implicitOther))
	case p >= implicitRare:
		return implicit(baseRare, rune(p-implicitRare))
	case p >= implicitUnified:
		return implicit(baseUnified, rune(p-implicitUnified))
	}
	if w, ok := t.places[p]; ok {
		return w
	}
	return p << 8
}

// primaries returns the weights in x/text's sort key of a character. A weight has two bytes, or three if the first one
// has its high bit set.
func (t *table) primaries(r rune) (out []uint32) {
	t.buffer.Reset()
	for key := t.collator.KeyFromString(&t.buffer, string(r)); len(key) > 1; {
		if key[0]&0x80 == 0 {
			out = append(out, uint32(key[0])<<8|uint32(key[1]))
			key = key[2:]
			continue
		}
		out = append(out, uint32(key[0]&0x7F)<<16|uint32(key[1])<<8|uint32(key[2]))
		key = key[3:]
	}
	return out
}
