package cost

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// DetectSymbol finds the currency in costs as they were written: one symbol or ISO 4217 code beside every number, and
// whether it is before ("prefix") or after ("postfix") the numbers. Both results are "" if there is none. position is
// also "" if it varies.
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

// noNumber is the symbol of a piece that contains no number.
const noNumber = "\x00"

// piece is a part of a row between commas, with its numbers.
type piece struct {
	text   string
	tokens []token // positions are relative to the row
	from   int
}

// cutPieces splits a row at commas that are not part of a number.
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

// pieceSymbol returns what is beside the number of a piece. ok is false if the piece contains several numbers.
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

// isCurrency reports whether a string is one currency symbol, as a character or an HTML entity, or a currency code.
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

// isCode reports whether a string is an ISO 4217 code.
func isCode(s string) bool {
	return len(s) == 3 && !strings.Contains(s, " ") && strings.Contains(currencyCodes, " "+s+" ")
}

// currencyCodes contains the ISO 4217 codes, without those of metals and tests.
const currencyCodes = " AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BOV BRL BSD BTN BWP BYN BZD " +
	"CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF " +
	"GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD " +
	"MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON " +
	"RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD " +
	"USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XCD XCG XDR XOF XPF XSU XUA YER ZAR ZMW ZWG ZWL "
