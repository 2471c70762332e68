package apitest

import (
	"fmt"
	"strings"
)

// Exec changes rows as another program could.
func (s *Site) Exec(query string, args ...any) {
	s.T.Helper()
	if _, err := s.DB.NewRaw(query, args...).Exec(s.T.Context()); err != nil {
		s.T.Fatalf("%s: %v", query, err)
	}
}

// Scan reads the values of one column.
func (s *Site) Scan(query string, args ...any) []string {
	s.T.Helper()
	values := []string{}
	if err := s.DB.NewRaw(query, args...).Scan(s.T.Context(), &values); err != nil {
		s.T.Fatalf("%s: %v", query, err)
	}
	return values
}

// Meta are the values of a post's meta rows with a key, in order.
func (s *Site) Meta(id int64, key string) []string {
	s.T.Helper()
	return s.Scan("SELECT meta_value FROM wp_postmeta WHERE post_id = ? AND meta_key = ? ORDER BY meta_id", id, key)
}

// Dump is everything that is stored, as the database itself sums it up: a line for every table with its checksum.
func (s *Site) Dump() string {
	s.T.Helper()
	var b strings.Builder
	for _, table := range s.Scan("SHOW TABLES") {
		var name, sum string
		if err := s.DB.DB.QueryRowContext(s.T.Context(), "CHECKSUM TABLE `"+table+"` EXTENDED").Scan(&name, &sum); err != nil {
			s.T.Fatal(err)
		}
		fmt.Fprintln(&b, table, sum)
	}
	return b.String()
}
