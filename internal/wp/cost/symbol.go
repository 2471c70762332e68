package cost

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// DetectSymbol finds the currency in costs as they are written: one currency sign or ISO 4217 code
// that is next to every number, and whether it comes before ("prefix") or after ("postfix") them.
// Both are empty if there is none; the position also if it varies.
func DetectSymbol(rows []string) (symbol, position string) {
	found := false
	for _, row := range rows {
		for _, piece := range cutPieces(row) {
			s, p, ok := pieceSymbol(piece)
			if !ok {
				return "", ""
			}
			switch {
			case s == noNumber:
			case !found:
				symbol, position, found = s, p, true
			case s != symbol:
				return "", ""
			case p != position:
				position = ""
			}
		}
	}
	if !isCurrency(symbol) {
		return "", ""
	}
	return symbol, position
}

// noNumber is the symbol of a piece without a number.
const noNumber = "\x00"

// piece is a part of a row between commas, with the numbers in it.
type piece struct {
	text   string
	tokens []token // with their positions in the row
	from   int
}

// cutPieces cuts a row at the commas that belong to no number.
func cutPieces(row string) []piece {
	var pieces []piece
	p := piece{}
	cut := func(to int) {
		p.text = row[p.from:to]
		pieces = append(pieces, p)
		p = piece{from: to + 1}
	}
	at := 0
	cutUntil := func(to int) {
		for ; at < to; at++ {
			if row[at] == ',' {
				cut(at)
			}
		}
	}
	for _, t := range scan(row, false) {
		cutUntil(t.from)
		p.tokens = append(p.tokens, t)
		at = t.to
	}
	cutUntil(len(row))
	cut(len(row))
	return pieces
}

// pieceSymbol returns what is next to the number of a piece. The result is
// false if the piece has several numbers.
func pieceSymbol(p piece) (symbol, position string, ok bool) {
	if len(p.tokens) != 1 {
		return noNumber, "", len(p.tokens) == 0
	}
	t := p.tokens[0]
	before, after := p.text[:t.from-p.from], p.text[t.to-p.from:]
	symbol = phpval.Trim(before + after)
	if strings.HasPrefix(phpval.Trim(p.text), symbol) {
		return symbol, "prefix", true
	}
	return symbol, "postfix", true
}

// isCurrency reports whether a text is one currency sign, as a character or an
// entity, or a currency code.
func isCurrency(s string) bool {
	switch s {
	case "&cent;", "&curren;", "&euro;", "&pound;", "&yen;":
		return true
	}
	if r, n := utf8.DecodeRuneInString(s); n == len(s) && unicode.Is(unicode.Sc, r) {
		return true
	}
	return isCode(s)
}

// isCode reports whether a text is a code of ISO 4217.
func isCode(s string) bool {
	return len(s) == 3 && !strings.Contains(s, " ") && strings.Contains(currencyCodes, " "+s+" ")
}

// currencyCodes are the codes of ISO 4217 but those for metals and tests.
const currencyCodes = " AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD " +
	"CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF " +
	"GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD " +
	"MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON " +
	"RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD " +
	"USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XCD XCG XDR XOF XPF XSU XUA YER ZAR ZMW ZWG ZWL "
