package store

import (
	"slices"
	"strconv"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Distinct returns the ids sorted and without duplicates.
func Distinct(ids []int64) []int64 {
	sorted := slices.Clone(ids)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// Decimals returns ids as strings, as meta rows and addresses contain them.
func Decimals(ids []int64) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(id, 10)
	}
	return texts
}

// idsIn parses the ids in one meta value: a number at its beginning, or a serialized number or list of numbers.
func idsIn(value string) []int64 {
	if !strings.HasPrefix(value, "a:") {
		return []int64{phpval.Int(phpval.Stored(value))}
	}
	v, err := phpval.Unserialize(value)
	list, ok := v.(*phpval.Array)
	if err != nil || !ok {
		return nil
	}
	var ids []int64
	for _, x := range list.All() {
		ids = append(ids, phpval.Int(x))
	}
	return ids
}

// LinkedIDs parses the ids in meta values, ignoring values without an id.
func LinkedIDs(values []string) []int64 {
	var ids []int64
	for _, v := range values {
		for _, id := range idsIn(v) {
			if id > 0 {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

var likeEscaper = strings.NewReplacer("|", "||", "%", "|%", "_", "|_")

// Contains returns the LIKE pattern for texts that contain s, for use with ESCAPE '|', because the engines parse a
// backslash in a literal differently.
func Contains(s string) string { return "%" + likeEscaper.Replace(s) + "%" }

// Direction returns the sort direction of a column.
func Direction(descending bool) bun.Safe {
	if descending {
		return "DESC"
	}
	return "ASC"
}
