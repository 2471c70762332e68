package pages

import (
	"fmt"
	"math"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

func TestColoursCanBeRead(t *testing.T) {
	white, black := rgb{255, 255, 255}, rgb{}
	if got := contrast(white, black); got != 21 {
		t.Errorf("black on white: %f", got)
	}
	for _, text := range []string{DefaultColour, "#fff", "#000", "#ffff00", "#0F0", "#777777", "#00008b", "#a32"} {
		c := must.Get(parseColour(text))(t)
		light, dark := c.readable(lightGround, black), c.readable(darkGround, white)
		for name, ratio := range map[string]float64{
			"light": contrast(light, lightGround), "dark": contrast(dark, darkGround), "on it": contrast(light, light.ink()),
			"on it in the dark": contrast(dark, dark.ink()),
		} {
			if ratio < 4.5 {
				t.Errorf("%s, %s: contrast %.2f", text, name, ratio)
			}
		}
	}
	if c, _ := parseColour(DefaultColour); c.readable(lightGround, black).String() != DefaultColour {
		t.Error("a colour that can be read is changed")
	}
}

func TestOtherTextsAreNoColours(t *testing.T) {
	for _, text := range []string{"", "red", "#12", "#12345", "#1234567", "a3312b", "#gggggg", "#-1-1-1", "#a3312b;}"} {
		if CheckColour(text) == nil {
			t.Errorf("%q is a colour", text)
		}
	}
}

// TestStyleSheetCanBeRead checks that all text in the style sheet is legible on all of its backgrounds, in both
// schemes.
func TestStyleSheetCanBeRead(t *testing.T) {
	for scheme, rules := range map[string]string{
		"light": strings.Split(string(styleSheet), "@media (prefers-color-scheme: dark)")[0],
		"dark":  strings.SplitN(strings.Split(string(styleSheet), "@media (prefers-color-scheme: dark)")[1], "*, *", 2)[0],
	} {
		colours := map[string]rgb{}
		for _, m := range regexp.MustCompile(`--(\w+): (#[0-9a-f]+)`).FindAllStringSubmatch(rules, -1) {
			c := must.Get(parseColour(m[2]))(t)
			colours[m[1]] = c
		}
		texts := map[string][]string{
			"ink": {"ground", "surface", "chip", "mark", "t0"}, "soft": {"ground", "surface", "chip"}, "surface": {"ink"},
			"c0": {"surface", "ground"},
		}
		for i := 1; i <= 12; i++ { // twelve categories have a colour of their own
			own, tint := fmt.Sprint("c", i), fmt.Sprint("t", i)
			texts["ink"], texts[own] = append(texts["ink"], tint), []string{"surface", "ground", tint}
			for j := 1; j < i; j++ {
				if d := distance(colours[own], colours[fmt.Sprint("c", j)]); d < leastDistance {
					t.Errorf("%s: %d and %d are as good as of one colour: %.3f", scheme, i, j, d)
				}
			}
		}
		for text, grounds := range texts {
			for _, ground := range grounds {
				a, known := colours[text]
				b, there := colours[ground]
				if !known || !there {
					t.Fatalf("%s: no colour %s or %s", scheme, text, ground)
				}
				if ratio := contrast(a, b); ratio < 4.5 {
					t.Errorf("%s: %s on %s has a contrast of %.2f", scheme, text, ground, ratio)
				}
			}
		}
		for text, ground := range map[string]rgb{"light": lightGround, "dark": darkGround} {
			if scheme == text && contrast(colours["chip"], ground) > 1.2 {
				t.Errorf("%s: the ground on which colours are tested is not that of the sheet", scheme)
			}
		}
	}
}

// leastDistance is the distance in Oklab at which two colours can be distinguished at a glance: about three times the
// smallest visible difference.
const leastDistance = 0.06

// distance returns the distance of two colours in Oklab.
func distance(a, b rgb) float64 {
	x, y := a.oklab(), b.oklab()
	return math.Hypot(math.Hypot(x[0]-y[0], x[1]-y[1]), x[2]-y[2])
}

func (c rgb) oklab() (lab [3]float64) {
	linear := [3]float64{}
	for i := range c {
		linear[i] = rgb{c[i], c[i], c[i]}.luminance()
	}
	cones := [3]float64{}
	for i, w := range [3][3]float64{
		{0.4122214708, 0.5363325363, 0.0514459929},
		{0.2119034982, 0.6806995451, 0.1073969566},
		{0.0883024619, 0.2817188376, 0.6299787005},
	} {
		cones[i] = math.Cbrt(w[0]*linear[0] + w[1]*linear[1] + w[2]*linear[2])
	}
	for i, w := range [3][3]float64{
		{0.2104542553, 0.7936177850, -0.0040720468},
		{1.9779984951, -2.4285922050, 0.4505937099},
		{0.0259040371, 0.7827717662, -0.8086757660},
	} {
		lab[i] = w[0]*cones[0] + w[1]*cones[1] + w[2]*cones[2]
	}
	return lab
}

func TestColourOfTheOptions(t *testing.T) {
	get := func(colour, path string) *httptest.ResponseRecorder {
		t.Helper()
		return open(t, path, Options{Colour: colour})
	}
	expect(t, get("#00f", stylePath), 200, "--accent: #0000ff; --accent-ink: #ffffff", "--accent: #", "@media print")
	expect(t, get("#ff0", stylePath), 200, "--accent-ink: #000000")
	lacks(t, get("#ff0", stylePath), "--accent: #ffff00; --accent-ink: #000000; }\n@media")
	expect(t, get("#00f", iconPath), 200, `fill="#0000ff"`)
	expect(t, get("}", stylePath), 200, DefaultColour)
	link := regexp.MustCompile(`<link rel="stylesheet" href="([^"]+)"`)
	one, other := link.FindStringSubmatch(get("#00f", "/").Body.String())[1], link.FindStringSubmatch(get("#0f0", "/").Body.String())[1]
	if one == other {
		t.Errorf("two style sheets are both at %s", one)
	}
	if got := get("#00f", one).Header().Get("Cache-Control"); !strings.Contains(got, "immutable") {
		t.Errorf("%s: %s", one, got)
	}
	if got := get("#00f", other).Header().Get("Cache-Control"); strings.Contains(got, "immutable") {
		t.Errorf("%s of another version: %s", other, got)
	}
}
