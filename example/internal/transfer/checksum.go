package transfer

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"fmt"
	"hash"

	"github.com/uptrace/bun"
)

// Checksum returns for each table of a site, by its name without the prefix, the number of rows and a checksum of all
// values of all columns in the order of the primary key. Equal content has equal checksums on all engines. A table that
// does not exist counts as empty, and a column that does not exist as NULL.
func Checksum(ctx context.Context, db *bun.DB, prefix string) (map[string]string, error) {
	s, err := readSession(ctx, db, prefix)
	if err != nil {
		return nil, err
	}
	defer s.close()
	sums := map[string]string{}
	for _, t := range tablesOf(db) {
		f, err := s.inspect(ctx, t)
		if err != nil {
			return nil, err
		}
		rows, sum := 0, sha256.New()
		err = s.each(ctx, t, f, func(values []sql.NullString) error {
			rows++
			for _, v := range values {
				hashValue(sum, v)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		sums[t.name] = fmt.Sprintf("%d rows, %x", rows, sum.Sum(nil))
	}
	return sums, nil
}

// hashValue adds a value, preceded by its length, so that different rows have different input; NULL differs from every
// string.
func hashValue(sum hash.Hash, v sql.NullString) {
	length := uint64(len(v.String)) + 1
	if !v.Valid {
		length = 0
	}
	_ = binary.Write(sum, binary.BigEndian, length) // a hash returns no error
	_, _ = sum.Write([]byte(v.String))
}
