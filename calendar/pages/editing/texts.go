package editing

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed texts/*.json
var textFiles embed.FS

// dictionaries contains the texts of the pages, by language.
var dictionaries = mustLoad("en", "nl", "fr")

// mustLoad reads the dictionaries, each from one or more files: en.json, en-forms.json. A text that a language lacks is
// shown in English. It panics if a file is invalid, which every test would find.
func mustLoad(tags ...string) map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, tag := range tags {
		all[tag] = map[string]string{}
	}
	files, err := textFiles.ReadDir("texts")
	if err != nil {
		panic(err)
	}
	for _, file := range files {
		data, err := textFiles.ReadFile("texts/" + file.Name())
		if err != nil {
			panic(err)
		}
		tag, _, _ := strings.Cut(strings.TrimSuffix(file.Name(), ".json"), "-")
		words := all[tag]
		if err := json.Unmarshal(data, &words); err != nil || words == nil {
			panic(fmt.Errorf("texts/%s: %w", file.Name(), err))
		}
	}
	for _, words := range all {
		addMissing(words, all["en"])
	}
	return all
}

// addMissing adds the English texts that a language does not have yet.
func addMissing(words, english map[string]string) {
	for key, text := range english {
		if words[key] == "" {
			words[key] = text
		}
	}
}

// word returns the text of a key, or key itself if there is none, for example because it already is a text.
func (l *language) word(key string) string {
	if w, ok := l.texts[key]; ok {
		return w
	}
	return key
}

// fill returns the text of a key with its placeholders replaced by values, in order. Placeholders within values are
// kept.
func (l *language) fill(key string, values ...string) string {
	parts := strings.Split(l.word(key), "%s")
	for i, value := range values[:min(len(values), len(parts)-1)] {
		parts[i] += value
	}
	return strings.Join(parts, "")
}

// role returns the name of a role: translated if it is a default role of WordPress.
func (l *language) role(name string) string {
	if w, ok := l.texts["role."+name]; ok {
		return w
	}
	return name
}
