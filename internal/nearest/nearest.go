// Package nearest finds the known name that a mistyped one may mean.
package nearest

// Name returns the name that differs least from a mistyped one, "" if all differ in more than two letters.
func Name(typed string, names []string) (name string) {
	least := 3
	for _, n := range names {
		if d := edits(typed, n); n != "" && d < least && d < len(n) {
			name, least = n, d
		}
	}
	return name
}

// edits returns how many letters have to be added, removed or changed to make b of a.
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
