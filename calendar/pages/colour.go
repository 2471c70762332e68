package pages

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// DefaultColour is the colour of links, buttons and the current day if Options.Colour is not set.
const DefaultColour = "#a3312b"

// The backgrounds of the style sheet with the least contrast to coloured text: the darkest one of the light scheme, and
// the lightest one of the dark scheme.
var (
	lightGround = rgb{0xf7, 0xf5, 0xf1}
	darkGround  = rgb{0x26, 0x25, 0x2a}
)

// leastContrast is slightly more than 4.5, the contrast that WCAG requires between text and background.
const leastContrast = 4.7

type rgb [3]float64 // red, green and blue, from 0 to 255

// theme contains the files that depend on the colour in the options.
type theme struct {
	sheet, icon []byte
	version     string // changes with the files
	colours     themeColours
}

// themeColours are the values of the meta element theme-color, which browsers show around a page.
type themeColours struct{ Light, Dark string }

// CheckColour returns an error if text is not a colour such as #a3312b or #a32.
func CheckColour(text string) error {
	_, err := parseColour(text)
	return err
}

func parseColour(text string) (c rgb, err error) {
	digits, ok := strings.CutPrefix(text, "#")
	if len(digits) == 3 {
		digits = strings.Join([]string{digits[:1], digits[:1], digits[1:2], digits[1:2], digits[2:], digits[2:]}, "")
	}
	n, err := strconv.ParseUint(digits, 16, 24)
	if !ok || len(digits) != 6 || err != nil {
		return c, fmt.Errorf("use a colour such as %s", DefaultColour)
	}
	return rgb{float64(n >> 16), float64(n >> 8 & 0xff), float64(n & 0xff)}, nil
}

// newTheme creates the style sheet and the icon for a colour. Where text in this colour would not be legible on the
// background, the colour is darkened in the light scheme, and lightened in the dark one.
func newTheme(c rgb) theme {
	light, dark := c.readable(lightGround, rgb{}), c.readable(darkGround, rgb{255, 255, 255})
	rules := fmt.Sprintf("\n:root { --accent: %s; --accent-ink: %s; }\n@media (prefers-color-scheme: dark) {\n\t:root { --accent: %s; "+
		"--accent-ink: %s; }\n}\n", light, light.ink(), dark, dark.ink())
	// The rules override those of the style sheet, except its rules for print, which follow.
	sheet, print, _ := strings.Cut(string(styleSheet), printMark)
	t := theme{
		sheet: []byte(sheet + rules + printMark + print),
		icon: fmt.Appendf(nil,
			`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="3" y="5" width="26" height="24" rx="6" `+
				`fill="%s"/><path d="M10 2v6M22 2v6" stroke="%[1]s" stroke-width="3" stroke-linecap="round"/>`+
				`<path d="M8 13h16" stroke="%s" stroke-width="2" stroke-linecap="round"/>`+
				`<circle cx="21" cy="21" r="3.5" fill="%[2]s"/></svg>`, light, light.ink()),
		colours: themeColours{Light: "#ffffff", Dark: "#1b1a1f"},
	}
	sum := sha256.Sum256(append(t.sheet[:len(t.sheet):len(t.sheet)], t.icon...))
	t.version = hex.EncodeToString(sum[:6])
	return t
}

// printMark is the beginning of the rules for print in the style sheet.
const printMark = "@media print"

// readable mixes the colour with towards, black or white, until text in it is legible on the background ground.
func (c rgb) readable(ground, towards rgb) rgb {
	for part := 0.0; part <= 1; part += 0.02 {
		if mixed := c.mix(towards, part).rounded(); contrast(mixed, ground) >= leastContrast {
			return mixed
		}
	}
	return towards
}

// ink returns black or white, whichever has more contrast with the colour.
func (c rgb) ink() rgb {
	black, white := rgb{}, rgb{255, 255, 255}
	if contrast(c, black) > contrast(c, white) {
		return black
	}
	return white
}

func (c rgb) mix(other rgb, part float64) (mixed rgb) {
	for i := range c {
		mixed[i] = c[i]*(1-part) + other[i]*part
	}
	return mixed
}

func (c rgb) rounded() rgb { return rgb{math.Round(c[0]), math.Round(c[1]), math.Round(c[2])} }

func (c rgb) String() string { return fmt.Sprintf("#%02x%02x%02x", int(c[0]), int(c[1]), int(c[2])) }

// contrast returns the contrast ratio of two colours as WCAG defines it, from 1 to 21.
func contrast(a, b rgb) float64 {
	x, y := a.luminance(), b.luminance()
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func (c rgb) luminance() float64 {
	var sum float64
	for i, weight := range [3]float64{0.2126, 0.7152, 0.0722} {
		part := c[i] / 255
		if part <= 0.04045 {
			part /= 12.92
		} else {
			part = math.Pow((part+0.055)/1.055, 2.4)
		}
		sum += weight * part
	}
	return sum
}
