package fill

import (
	_ "embed"

	"github.com/pelletier/go-toml/v2"

	"github.com/agendahq/agenda/internal/wp/cost"
)

//go:embed words.toml
var wordsFile []byte

// words contains the parts of texts, names and prices. The file describes each list.
var words = func() (w struct {
	Topics, FirstNames, LastNames, Towns, Halls, Streets, Countries, Societies, Openers, Closers, Sentences []string

	Categories, Prices [][]string
}) {
	if err := toml.Unmarshal(wordsFile, &w); err != nil {
		panic(err)
	}
	return w
}()

// price is a cost as it is stored: a row for each amount, and the currency in which they are written.
type price struct {
	amounts          []string
	symbol, position string
}

func prices() (list []price) {
	for _, amounts := range words.Prices {
		p := price{amounts: amounts}
		p.symbol, p.position = cost.DetectSymbol(amounts)
		list = append(list, p)
	}
	return list
}
