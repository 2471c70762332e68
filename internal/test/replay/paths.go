package replay

import "net/http"

// Paths returns the addresses, below the namespace, that a recording asked for
// with GET, without login and without a body, each once and in order.
func Paths(corpus string) ([]string, error) {
	_, lines, err := loadCorpus(corpus)
	if err != nil {
		return nil, err
	}
	var paths []string
	seen := map[string]bool{}
	for _, l := range lines {
		if l.Method != http.MethodGet || l.As != "" || given(l.Body) || given(l.Form) || l.Raw != nil || seen[l.Path] {
			continue
		}
		seen[l.Path] = true
		paths = append(paths, l.Path)
	}
	return paths, nil
}
