package render

import (
	"math"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// typography adapts the font size to the available width: with a script, or with fluid font sizes if the theme has
// them.
func typography(b *block, html string, wide float64) string {
	if phpval.Truthy(b.attrs().At("fitText")) {
		return fitText(html)
	}
	size := b.attrs().ArrayAt("style").ArrayAt("typography").At("fontSize")
	if size == nil || wide == 0 {
		return html
	}
	fluid := fluidSize(phpval.Text(size), wide)
	if fluid == "" {
		return html
	}
	return replaceFontSize(html, phpval.Text(size), fluid)
}

func fitText(html string) string {
	t, ok := nextTag(html, 0, false)
	if !ok {
		return html
	}
	attrs := []tagAttr{
		{name: "data-wp-context---core-fit-text", value: `core/fit-text::{"fontSize":""}`},
		{name: "data-wp-init---core-fit-text", value: "core/fit-text::callbacks.init"},
		{name: "data-wp-style--font-size", value: "core/fit-text::context.fontSize"},
	}
	if a, _ := t.attr(html, "data-wp-interactive"); !phpval.Truthy(a.value) {
		attrs = append(attrs, tagAttr{name: "data-wp-interactive", bare: true})
	}
	return t.setAttrs(html, attrs...)
}

// Limits of fluid font sizes, as in WordPress.
const (
	smallestFluid = 14.0  // in pixels; smaller text is not reduced further
	narrowest     = 320.0 // in pixels of the viewport's width
	rootSize      = 16.0  // in pixels per rem
)

// fluidSize returns the CSS value of a fluid font size, given a size in px, em or rem. It returns "" if the size does
// not become fluid.
func fluidSize(size string, wide float64) string {
	value, unit, ok := fontSize(size)
	if !ok {
		return ""
	}
	scale := 1.0 // pixels per unit
	if unit != "px" {
		scale = rootSize
	}
	smallest := round3(smallestFluid / scale)
	if value <= smallest {
		return ""
	}
	factor := min(max(1-0.075*math.Log2(value*scale), 0.25), 0.75)
	low := max(round3(value*factor), smallest)
	lowRem := low
	if unit == "px" {
		lowRem = round3(low / rootSize)
	}
	growth := round3(100 * (value - low) / (round3(wide/scale) - round3(narrowest/scale)))
	if growth == 0 {
		growth = 1
	}
	return "clamp(" + number(low) + unit + ", " + number(lowRem) + "rem + ((1vw - " + number(round3(narrowest/scale/100)) + unit + ") * " +
		number(growth) + "), " + number(value) + unit + ")"
}

// fontSize parses a size in px, em or rem. A number without a unit is in pixels.
func fontSize(s string) (value float64, unit string, ok bool) {
	if _, _, numeric := wp.Numeric(s); numeric {
		s += "px"
	}
	n := len(s) - len(strings.TrimLeft(s, "0123456789."))
	switch unit = s[n:]; unit {
	case "px", "em", "rem":
	default:
		return 0, "", false
	}
	value, err := strconv.ParseFloat(s[:n], 64)
	if err != nil || s[n-1] == '.' || value == 0 {
		return 0, "", false
	}
	return round3(value), unit, true
}

func round3(f float64) float64 { return math.Round(f*1000) / 1000 }

func number(f float64) string { return phpval.Text(f) }

// replaceFontSize replaces the first font-size declaration that has the size in the block's settings.
func replaceFontSize(html, size, fluid string) string {
	const property = "font-size"
	for i := 0; ; {
		n := strings.Index(html[i:], property)
		if n < 0 {
			return html
		}
		start := i + n
		i = start + len(property)
		at := skipSpace(html, i)
		if at == len(html) || html[at] != ':' {
			continue
		}
		at = skipSpace(html, at+1)
		if !strings.HasPrefix(html[at:], size) {
			continue
		}
		end := skipSpace(html, at+len(size))
		if end < len(html) && html[end] == ';' {
			end++
		}
		return html[:start] + property + ":" + wp.EscapeHTML(fluid) + ";" + html[end:]
	}
}
