package strtotime

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Abbreviation gives the short name of a zone at an instant, as it is stored
// with an event: CET or CEST for Europe/Brussels, the name itself for UTC+2 and
// CET, GMT+0200 for +02:00. False: there is no such zone.
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

// oldAbbreviations are the letters that stand for zones to which the zone
// database gives nothing but numbers. Most are names of a former local time;
// events carry them because other programs on the tables write them.
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
