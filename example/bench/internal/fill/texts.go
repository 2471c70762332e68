package fill

import "strings"

func (r random) pick(list []string) string { return list[r.IntN(len(list))] }

func (r random) person() string { return r.pick(words.FirstNames) + " " + r.pick(words.LastNames) }

// expand writes a sentence with its placeholders filled in.
func expand(b *strings.Builder, r random, sentence string) {
	for {
		before, rest, found := strings.Cut(sentence, "{")
		b.WriteString(before)
		if !found {
			return
		}
		switch rest[0] {
		case 't':
			b.WriteString(words.Topics[r.early(len(words.Topics))])
		case 'p':
			b.WriteString(r.person())
		case 'c':
			b.WriteString(r.pick(words.Towns))
		case 'n':
			b.WriteString(idText(int64(4 + r.IntN(60))))
		}
		sentence = rest[2:]
	}
}

// sentences returns a function that returns one sentence after the other, and none a second time before all others: the
// step through the list is coprime to its length.
func (r random) sentences() func() string {
	at, step := r.IntN(len(words.Sentences)), 1+r.IntN(len(words.Sentences)-1)
	for commonDivisor(step, len(words.Sentences)) != 1 {
		step--
	}
	return func() string {
		at = (at + step) % len(words.Sentences)
		return words.Sentences[at]
	}
}

// commonDivisor returns the greatest common divisor of two numbers.
func commonDivisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// texts sets the title and description of an event, and of some events the excerpt.
func (e *event) texts(r random) {
	topic := words.Topics[r.early(len(words.Topics))]
	switch r.weighted(45, 20, 15, 10, 10) {
	case 0:
		e.title = r.pick(words.Openers) + " " + topic
	case 1:
		e.title = capital(topic) + " " + r.pick(words.Closers)
	case 2:
		e.title = capital(topic) + " with " + r.person()
	case 3:
		e.title = capital(topic) + " & " + r.pick(words.Topics)
	case 4:
		e.title = r.person() + ": “" + capital(topic) + "”"
	}
	var b strings.Builder
	b.Grow(2200)
	blocks, sentence := r.chance(0.3), r.sentences()
	for n := range 2 + r.IntN(5) {
		if n > 0 {
			b.WriteString("\n\n")
		}
		if blocks {
			b.WriteString("<!-- wp:paragraph -->\n<p>")
		}
		e.paragraph(&b, r, n, sentence)
		if blocks {
			b.WriteString("</p>\n<!-- /wp:paragraph -->")
		}
	}
	e.content = b.String()
	if r.chance(0.3) {
		b.Reset()
		expand(&b, r, r.pick(words.Sentences))
		e.excerpt = b.String()
	}
}

// paragraph writes some sentences. The first paragraph may contain something bold, and another one a link.
func (e *event) paragraph(b *strings.Builder, r random, n int, sentence func() string) {
	for s := range 2 + r.IntN(4) {
		if s > 0 {
			b.WriteByte(' ')
		}
		strong := n == 0 && s == 0 && r.chance(0.3)
		if strong {
			b.WriteString("<strong>")
		}
		expand(b, r, sentence())
		if strong {
			b.WriteString("</strong>")
		}
	}
	if n == 1 && r.chance(0.25) {
		b.WriteString(` Read more on <a href="https://events.example.org/` + idText(e.number) + `">our own pages</a>.`)
	}
}

// capital returns an ASCII word with its first letter in upper case.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
