package fill

import (
	"github.com/agendahq/agenda/internal/wp/cost"
)

// price is a cost as it is stored: a row for each amount, and the currency that is written in them.
type price struct {
	amounts          []string
	symbol, position string
}

// prices are what admission can cost, the most usual first.
func prices() (list []price) {
	for _, amounts := range [][]string{
		{"€12"}, {"Free"}, {"€8"}, {"€15"}, {"10"}, {"€5"}, {"€18"}, {"12 €"}, {"€25"}, {"€8", "€12"}, {"€10"}, {"€6,50"}, {"20 €"},
		{"€14", "€11", "€7"}, {"€30"}, {"5 - 10 €"}, {"€22.50"}, {"€4"}, {"$15"}, {"€45"}, {"£9"}, {"€120"}, {"Free for members", "€6"}, {"15"},
	} {
		p := price{amounts: amounts}
		p.symbol, p.position = cost.DetectSymbol(amounts)
		list = append(list, p)
	}
	return list
}
