// Command untranslated lists the texts for people that exist in English and are missing in another language, where the
// English text is shown instead. A missing text is not an error, because not everybody who adds one knows all languages.
package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// directories contain the texts, in files such as active.nl.toml, nl.json and nl-forms.json.
var directories = []string{"locales", "calendar/pages/texts", "calendar/pages/editing/texts"}

func main() {
	log.SetFlags(0)
	missing, err := listMissing(os.DirFS("."), directories)
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range missing {
		fmt.Println(line)
	}
	if len(missing) > 0 {
		fmt.Printf("%d texts are not translated; readers see them in English\n", len(missing))
	}
}

// listMissing returns a line for each text that a language lacks.
func listMissing(files fs.FS, directories []string) (lines []string, err error) {
	for _, dir := range directories {
		languages, err := readLanguages(files, dir)
		if err != nil {
			return nil, err
		}
		if len(languages["en"]) == 0 {
			return nil, fmt.Errorf("%s has no English texts", dir)
		}
		for tag, texts := range languages {
			for key, english := range languages["en"] {
				if _, ok := texts[key]; !ok {
					lines = append(lines, fmt.Sprintf("%s: %s lacks %s: %q", dir, tag, key, english))
				}
			}
		}
	}
	slices.Sort(lines)
	return lines, nil
}

// readLanguages returns the texts of a directory by language and key.
func readLanguages(files fs.FS, dir string) (map[string]map[string]string, error) {
	entries, err := fs.ReadDir(files, dir)
	if err != nil {
		return nil, err
	}
	languages := map[string]map[string]string{}
	for _, entry := range entries {
		unmarshal := json.Unmarshal
		switch path.Ext(entry.Name()) {
		case ".json":
		case ".toml":
			unmarshal = toml.Unmarshal
		default:
			continue
		}
		name := path.Join(dir, entry.Name())
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		values := map[string]any{}
		if err := unmarshal(data, &values); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		tag := strings.TrimPrefix(strings.TrimSuffix(entry.Name(), path.Ext(entry.Name())), "active.")
		tag, _, _ = strings.Cut(tag, "-")
		if languages[tag] == nil {
			languages[tag] = map[string]string{}
		}
		addTexts(languages[tag], values)
	}
	return languages, nil
}

// addTexts adds the strings in values to texts, under their keys. It does so for the dictionary "words" of a file, and
// counts the plural forms of a text, which differ per language, as one text.
func addTexts(texts map[string]string, values map[string]any) {
	for key, value := range values {
		switch value := value.(type) {
		case string:
			texts[key] = value
		case map[string]any:
			if key == "words" {
				addTexts(texts, value)
			} else {
				texts[key], _ = value["other"].(string)
			}
		}
	}
}
