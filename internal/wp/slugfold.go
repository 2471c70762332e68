package wp

import (
	"fmt"
	"strings"
)

// The steps run one after the other over percent-encoded text, each over what
// the one before it left.
var (
	foldDashes = replacer("-", []string{
		"&nbsp;", "&#8209;", "&#160;", "&ndash;", "&#8211;", "&mdash;", "&#8212;", "/",
	}, "\u00a0\u2011\u2013\u2014")

	foldNothing = replacer("", nil,
		"\u00ad\u00a1\u00bf\u00ab\u00bb\u2039\u203a\u2018\u2019\u201c\u201d\u201a\u201b\u201e\u201f"+
			"\u2022\u00a9\u00ae\u00b0\u2026\u2122\u00b4\u02ca\u0301\u0341\u0300\u0304\u030c"+
			"\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\ufeff\ufffc")

	foldSpaces = replacer("-", nil,
		"\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f")
)

// replacer replaces the texts, and the characters in their percent-encoded
// form.
func replacer(by string, texts []string, chars string) *strings.Replacer {
	var pairs []string
	for _, t := range texts {
		pairs = append(pairs, t, by)
	}
	for _, r := range chars {
		var code strings.Builder
		for _, c := range []byte(string(r)) {
			fmt.Fprintf(&code, "%%%02x", c)
		}
		pairs = append(pairs, code.String(), by)
	}
	return strings.NewReplacer(pairs...)
}

// foldPunctuation writes typographic dashes and spaces as "-", the multiplication
// sign as "x", and drops quotes, bullets and invisible characters.
func foldPunctuation(s string) string {
	s = foldDashes.Replace(s)
	if !strings.Contains(s, "%") {
		return s
	}
	s = foldNothing.Replace(s)
	s = foldSpaces.Replace(s)
	return strings.ReplaceAll(s, "%c3%97", "x")
}
