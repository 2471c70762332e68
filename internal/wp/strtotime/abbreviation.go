package strtotime

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Abbreviation returns the abbreviation of a zone at an instant, in the form stored with events: CET or CEST for
// Europe/Brussels, the name itself for UTC+2 and CET, GMT+0200 for +02:00. The second result is false if there is no
// such zone.
func Abbreviation(name string, at time.Time) (string, bool) {
	loc, ok := Zone(name)
	if !ok {
		return "", false
	}
	if seconds, fixed, _ := fixedOffset(name); fixed {
		if strings.HasPrefix(name, "UTC") {
			return name, true
		}
		sign := '+'
		if seconds < 0 {
			sign, seconds = '-', -seconds
		}
		return fmt.Sprintf("GMT%c%02d%02d", sign, seconds/3600, seconds/60%60), true
	}
	if _, ok := abbreviations[phpval.Lower(name)]; ok {
		return strings.ToUpper(name), true
	}
	abbr, _ := at.In(loc).Zone()
	if old, ok := oldAbbreviations()[loc.String()]; ok && (abbr[0] == '+' || abbr[0] == '-') {
		return old, true
	}
	return abbr, true
}

// abbreviations maps abbreviations to their UTC offsets in seconds. Ambiguous abbreviations have the meaning that PHP
// gives them: IST is Israel's standard time, BST is British summer time.
var abbreviations = map[string]int64{
	"utc": 0, "gmt": 0, "uct": 0, "z": 0,
	"a": 3600, "b": 7200, "c": 10800, "d": 14400, "e": 18000, "f": 21600,
	"g": 25200, "h": 28800, "i": 32400, "k": 36000, "l": 39600, "m": 43200,
	"n": -3600, "o": -7200, "p": -10800, "q": -14400, "r": -18000, "s": -21600,
	"t": -25200, "u": -28800, "v": -32400, "w": -36000, "x": -39600, "y": -43200,

	// Europe and the Middle East
	"wet": 0, "west": 3600, "wemt": 7200, "cet": 3600, "cest": 7200, "cemt": 10800,
	"eet": 7200, "eest": 10800, "met": 3600, "mest": 7200, "bst": 3600, "bdst": 7200,
	"msk": 10800, "msd": 14400, "ist": 7200, "idt": 10800, "iddt": 14400,

	// North America
	"nst": -12600, "ndt": -9000, "nwt": -9000, "npt": -9000, "nddt": -5400,
	"ast": -14400, "adt": -10800, "awt": -10800, "apt": -10800, "addt": -7200,
	"est": -18000, "edt": -14400, "ewt": -14400, "ept": -14400, "eddt": -10800,
	"cst": -21600, "cdt": -18000, "cwt": -18000, "cpt": -18000, "cddt": -14400,
	"mst": -25200, "mdt": -21600, "mwt": -21600, "mpt": -21600, "mddt": -18000,
	"pst": -28800, "pdt": -25200, "pwt": -25200, "ppt": -25200, "pddt": -21600,
	"yst": -32400, "ydt": -28800, "ywt": -28800, "ypt": -28800, "yddt": -25200,
	"akst": -32400, "akdt": -28800, "ahst": -36000, "ahdt": -32400,
	"hst": -36000, "hdt": -32400, "hwt": -34200, "hpt": -34200,

	// Africa
	"cat": 7200, "cast": 10800, "eat": 10800, "sast": 7200, "wat": 3600, "wast": 7200,

	// Asia
	"pkt": 18000, "pkst": 21600, "wib": 25200, "wita": 28800, "wit": 32400,
	"hkt": 28800, "hkst": 32400, "hkwt": 30600, "jst": 32400, "jdt": 36000, "kst": 30600, "kdt": 34200,

	// Australia and the Pacific
	"awst": 28800, "awdt": 32400, "acst": 34200, "acdt": 37800, "aest": 36000, "aedt": 39600,
	"nzst": 43200, "nzdt": 46800, "nzmt": 41400, "gst": 36000, "gdt": 39600, "chst": 36000, "sst": -39600,
}

// oldAbbreviations maps zones for which the zone database has only numeric abbreviations to the abbreviations that PHP
// uses. Most are names of a former local time. They are needed because The Events Calendar stores them with events.
var oldAbbreviations = sync.OnceValue(func() map[string]string {
	table := map[string]string{}
	for line := range strings.Lines(oldAbbreviationList) {
		words := strings.Fields(line)
		for _, zone := range words[1:] {
			table[zone] = words[0]
		}
	}
	return table
})

const oldAbbreviationList = `AEST Australia/LHI Australia/Lord_Howe
AMT America/Asuncion
AST America/Miquelon
BMT America/Bogota Asia/Baghdad Asia/Bangkok Asia/Phnom_Penh Asia/Vientiane
BST America/La_Paz
CEST Europe/Minsk
CMT America/Argentina/Buenos_Aires America/Argentina/Catamarca America/Argentina/ComodRivadavia America/Argentina/Cordoba
CMT America/Argentina/Jujuy America/Argentina/La_Rioja America/Argentina/Mendoza America/Argentina/Rio_Gallegos
CMT America/Argentina/Salta America/Argentina/San_Juan America/Argentina/San_Luis America/Argentina/Tucuman
CMT America/Argentina/Ushuaia America/Buenos_Aires America/Caracas America/Catamarca America/Cordoba America/Jujuy America/Mendoza
CMT America/Rosario
EEST Asia/Amman Asia/Damascus Asia/Istanbul Europe/Istanbul
EMT Chile/EasterIsland Pacific/Easter
HMT Asia/Dacca Asia/Dhaka Atlantic/Azores
IMT Asia/Irkutsk
MMT America/Montevideo Asia/Colombo Indian/Maldives
PLMT Asia/Ho_Chi_Minh Asia/Saigon
PMT America/Paramaribo Asia/Yekaterinburg
QMT America/Guayaquil
RMT Asia/Rangoon Asia/Yangon
SMT America/Punta_Arenas America/Santiago Asia/Kuala_Lumpur Asia/Singapore Atlantic/Stanley Chile/Continental
TBMT Asia/Tbilisi
TMT Asia/Tehran
`
