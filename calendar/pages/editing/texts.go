package editing

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed texts/*.json
var textFiles embed.FS

// dictionaries have the texts of the pages by language.
var dictionaries = mustLoad("en", "nl", "fr")

// mustLoad reads the dictionaries, one or more files each: en.json, en-forms.json. It panics if one is invalid, which is a bug that any
// test finds.
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
	return all
}

// word returns the text of a key, or the key if it is none, such as a text already.
func (l *language) word(key string) string {
	if w, ok := l.texts[key]; ok {
		return w
	}
	return key
}

// fill returns the text of a key with its gaps filled, in order. Values may have gaps of their own.
func (l *language) fill(key string, values ...string) string {
	parts := strings.Split(l.word(key), "%s")
	for i, value := range values[:min(len(values), len(parts)-1)] {
		parts[i] += value
	}
	return strings.Join(parts, "")
}

// role returns what a role is called: the words of the roles that every site has, and the name of any other.
func (l *language) role(name string) string {
	if w, ok := l.texts["role."+name]; ok {
		return w
	}
	return name
}
