package wp

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/kses"
)

// EscapeHTML makes text safe between tags and in attributes. Entities that are
// already there stay, numeric ones in their usual form ("&#39;" becomes
// "&#039;"), so that escaping twice changes nothing.
func EscapeHTML(s string) string { return escape(s, "&quot;", "&#039;") }

// escapeMarkup makes entities of "&", "<" and ">". Quotes and entities stay.
func escapeMarkup(s string) string { return escape(s, `"`, "'") }

func escape(s, double, single string) string {
	if !strings.ContainsAny(s, `&<>"'`) {
		return s
	}
	var b strings.Builder
	// Room for the longest form of each: growing on the way costs more.
	b.Grow(len(s) + 3*(strings.Count(s, "<")+strings.Count(s, ">")) + 5*(strings.Count(s, `"`)+strings.Count(s, "'")+strings.Count(s, "&")))
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '"':
			b.WriteString(double)
		case '\'':
			b.WriteString(single)
		case '&':
			e, n := entity(s[i:])
			if n == 0 {
				e, n = "&amp;", 1
			}
			b.WriteString(e)
			i += n - 1
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// entity reads the valid entity at the start of s: its usual form and how many
// bytes it takes, 0 if there is none.
func entity(s string) (string, int) {
	if strings.HasPrefix(s, "&#") {
		return kses.NumericEntity(s)
	}
	// No name is longer than "thetasym": looking further would only cost time.
	end := strings.IndexByte(s[:min(len(s), len("&thetasym;"))], ';')
	if end < 0 || !entityNames[s[1:end]] {
		return "", 0
	}
	return s[:end+1], end + 1
}

// IsDigit reports whether c is a digit of base 10 or 16.
func IsDigit(c byte, base int) bool {
	return '0' <= c && c <= '9' || base == 16 && 'a' <= c|0x20 && c|0x20 <= 'f'
}

// entityNames are the named entities of HTML 4. "apos" is not one of them.
var entityNames = NameSet(`
AElig Aacute Acirc Agrave Alpha Aring Atilde Auml Beta Ccedil Chi Dagger Delta ETH Eacute Ecirc
Egrave Epsilon Eta Euml Gamma Iacute Icirc Igrave Iota Iuml Kappa Lambda Mu Ntilde Nu OElig
Oacute Ocirc Ograve Omega Omicron Oslash Otilde Ouml Phi Pi Prime Psi Rho Scaron Sigma THORN Tau
Theta Uacute Ucirc Ugrave Upsilon Uuml Xi Yacute Yuml Zeta aacute acirc acute aelig agrave
alefsym alpha amp and ang aring asymp atilde auml bdquo beta brvbar bull cap ccedil cedil cent
chi circ clubs cong copy crarr cup curren dArr dagger darr deg delta diams divide eacute ecirc
egrave empty emsp ensp epsilon equiv eta eth euml euro exist fnof forall frac12 frac14 frac34
frasl gamma ge gt hArr harr hearts hellip iacute icirc iexcl igrave image infin int iota iquest
isin iuml kappa lArr lambda lang laquo larr lceil ldquo le lfloor lowast loz lrm lsaquo lsquo lt
macr mdash micro middot minus mu nabla nbsp ndash ne ni not notin nsub ntilde nu oacute ocirc
oelig ograve oline omega omicron oplus or ordf ordm oslash otilde otimes ouml para part permil
perp phi pi piv plusmn pound prime prod prop psi quot rArr radic rang raquo rarr rceil rdquo
real reg rfloor rho rlm rsaquo rsquo sbquo scaron sdot sect shy sigma sigmaf sim spades sub sube
sum sup sup1 sup2 sup3 supe szlig tau there4 theta thetasym thinsp thorn tilde times trade uArr
uacute uarr ucirc ugrave uml upsih upsilon uuml weierp xi yacute yen yuml zeta zwj zwnj
`)

// NameSet returns the set of the names that a text lists between white space.
func NameSet(list string) map[string]bool {
	set := make(map[string]bool, 256)
	for name := range strings.FieldsSeq(list) {
		set[name] = true
	}
	return set
}
