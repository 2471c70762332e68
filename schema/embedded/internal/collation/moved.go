package collation

// moved lists the symbols whose position in MariaDB's order differs from that in x/text's. They follow the character
// after, in the given order. If alone is set, the entry applies only to these symbols, which x/text ignores or treats
// as another character; otherwise also to each character that is equal to one of them.
var moved = []struct {
	after rune
	runes string
	alone bool
}{
	{' ', "\u1680\u0640\u07FA", true},
	{' ', "`\u00B4\u02DC^\u00AF", false},
	{'\u203E', "\u02D8\u02D9\u00A8\u02DA\u02DD\u1FBD\u1FDD\u00B8\u02DB", false},
	{'\u2017', "\u1FC0\u309B\u309C", false},
	{'\u2017', "\u00AD", true},
	{'\u204B', "\u00A9\u00AE", false},
	{'/', "\u2044", false},
	{'&', "\u214B", false},
	{'\u060A', "\u2052", false},
	{'\u1C3F', "\u1940", false},
	{'\u104F', "\u109E\u109F\uAA77\uAA78\uAA79\u17D7", false},
	{'\u0C7F', "\u0CF1\u0CF2", false},
	{'\uA839', "\u0E4F", false},
	{'\u00A6', "\u2016", false},
	{'\u1800', "\u180A", true},
	{'\u0F38', "\u0F3E\u0F3F", true},
	{'\u214C', "\u214D", true},
	{'\u2767', "\u2768\u2769\u276A\u276B\u276C\u276D\u276E\u276F\u2770\u2771\u2772\u2773\u2774\u2775", false},
	{'\u27C4', "\u27C5\u27C6", false},
	{'\u27E5', "\u27E6\u27E7\u27E8\u27E9\u27EA\u27EB", false},
	{'\u29D7', "\u29D8\u29D9\u29DA\u29DB", false},
	{'\U00010A7E', "\U00010A7F", false},
	{'\U0001D371', "\u02D0\u02D1\u0971\u0E46\u0EC6\u1AA7\uA9CF\uAA70\uAADD\u3005\u303B\u3031\u3033\u3035\u309D\u30FC" +
		"\u30FD\u00A4\u00A2$\u00A3\u00A5\u060B\u09F2\u09F3\u09FB\u0AF1\uA838\u0BF9\u0E3F\u17DB\u20A0\u20A1\u20A2\u20A3" +
		"\u20A4\u20A5\u20A6\u20A7\u20A9\u20AA\u20AB\u20AC\u20AD\u20AE\u20AF\u20B0\u20B1\u20B2\u20B3\u20B4\u20B5\u20B6" +
		"\u20B7\u20B8", false},
	{'\u0293', "\u021C", false},
	{'\u17B3', "\u17B4\u17B5", true},
}

// spelled lists the symbols that MariaDB sorts like a word.
var spelled = map[rune]string{
	'\u20A8': "Rs",
	'\uFDFC': "\u0631\u06CC\u0627\u0644",
}

// correct adds the corrections to the table.
func (t *table) correct() {
	taken := map[rune]uint32{}
	for _, m := range moved {
		base := t.primaries(m.after)[0] << 8
		for _, r := range m.runes {
			taken[m.after]++
			w := base | taken[m.after]
			if m.alone {
				t.alone[r] = []uint32{w}
			} else {
				t.places[t.primaries(r)[0]] = w
			}
		}
	}
	for r, word := range spelled {
		var w []uint32
		for _, letter := range word {
			w = append(w, t.compute(letter)...)
		}
		t.alone[r] = w
	}
	t.alone['\u06DE'] = nil // an ornament that is ignored
}
