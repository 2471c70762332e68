// Package nearest suggests the known name that a mistyped one probably stands for.
package nearest

// Name returns the name with the smallest edit distance to a mistyped one, or "" if none has a distance below 3.
func Name(typed string, names []string) (name string) {
	least := 3
	for _, n := range names {
		if d := edits(typed, n); n != "" && d < least && d < len(n) {
			name, least = n, d
		}
	}
	return name
}

// edits returns the edit distance (Levenshtein distance) of two strings, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			changed := diagonal
			if a[i] != b[j] {
				changed++
			}
			diagonal = row[j+1]
			row[j+1] = min(changed, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
