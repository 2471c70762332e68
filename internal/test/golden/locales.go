package golden

// Locales contains the recorded words of every locale, by the value of the site's option ("" for English).
type Locales struct {
	Locales map[string]struct {
		Venue     string `json:"slug_venue"`
		Organizer string `json:"slug_organizer"`
		Event     string `json:"slug_event"`
		Events    string `json:"slug_events"`
		Category  string `json:"slug_category"`
		Tag       string `json:"slug_tag"`
		Free      string
		Range     string `json:"range_separator"`
		Cost      string `json:"cost_0_10"`
		TextFree  string `json:"cost_of_text_Free"`
		Price     string `json:"offers_price_0_10"`
		PriceFree string `json:"offers_price_text_Free"`
		Pages     struct {
			List, Month, Day, Today []string // the words that The Events Calendar recognizes, English first
		} `json:"page_slugs"`
		UnitedStates string `json:"united_states"`
	}
	Region struct {
		Rows []struct {
			Locale    string
			Body, Out map[string]any
		}
	} `json:"write_stateprovince"`
}
