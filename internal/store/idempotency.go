package store

import (
	"context"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/internal/store/timelimit"
	"github.com/agendahq/agenda/schema"
)

// The answer to a request with an Idempotency-Key is a row of a table that no other program writes and on which no
// answer depends. It is inserted in the request's own transaction, so it exists exactly if the request's changes do.

// Idempotency stores the answers to requests with an Idempotency-Key.
type Idempotency struct{ db *DB }

// ErrRunning means that a transaction with the same key has not ended yet.
var ErrRunning = errors.New("store: a request with this key is running")

// Find returns the request that was carried out with a key, nil if there is none. It does not wait: if an uncommitted
// transaction has inserted the row, it returns ErrRunning. On SQLite, and on servers without NOWAIT, such a row is not
// visible yet; Claim, which waits for that transaction, will find it.
func (s *Idempotency) Find(ctx context.Context, key string) (*schema.IdempotentRequest, error) {
	q := func() *Query { // always on the pool to which writes go, even if there is a ConnResolver
		return s.query(newQuery(s.db.pool.DB).Conn(timelimit.Reads{IConn: s.db.pool.DB.DB, Limits: s.db.pool.limits}), key)
	}
	wait := !s.db.IsMySQL()
	var found *schema.IdempotentRequest
	var err error
	if !wait {
		found, err = One[schema.IdempotentRequest](ctx, q().For("UPDATE NOWAIT"))
		wait = dberr.IsSyntax(err)
	}
	if wait {
		found, err = One[schema.IdempotentRequest](ctx, q())
	}
	switch {
	case dberr.IsLocked(err):
		return nil, ErrRunning
	case err != nil || s.expired(found):
		return nil, err
	}
	return found, nil
}

// expired reports whether a row is no longer valid.
func (s *Idempotency) expired(row *schema.IdempotentRequest) bool {
	return row != nil && row.Expires <= s.db.config.Now().Unix()
}

func (s *Idempotency) query(q *Query, key string) *Query {
	return q.From(tableIdempotency, "").Column("request_key", "fingerprint", "expires", "answer").
		Where("request_key = ?", key)
}

// expiredBatch is how many expired rows are removed with each new one: more than one, so that their number decreases,
// and few, so that it takes no noticeable time.
const expiredBatch = 20

// Claim inserts the row of a request that begins, which is kept for keep. If a request was carried out with the key,
// Claim returns that one and inserts nothing. It must be called within a Write and does not count as a change of the
// site.
func (s *Idempotency) Claim(ctx context.Context, key, fingerprint string, keep time.Duration) (*schema.IdempotentRequest, error) {
	var old []string
	found, err := One[schema.IdempotentRequest](ctx, s.db.Locked(s.query(s.db.Select(), key)))
	switch {
	case err != nil:
		return nil, err
	case s.expired(found):
		old = append(old, key)
	case found != nil:
		return found, nil
	}
	if err := s.removeExpired(ctx, old); err != nil {
		return nil, err
	}
	row := &schema.IdempotentRequest{Key: key, Fingerprint: fingerprint, Expires: s.db.config.Now().Add(keep).Unix()}
	_, err = s.db.writing(ctx).tx.NewInsert().Model(row).Exec(ctx)
	return nil, err
}

// removeExpired removes rows: those with the given keys, and some expired ones.
func (s *Idempotency) removeExpired(ctx context.Context, keys []string) error {
	q := s.db.Select().From(tableIdempotency, "").Column("request_key").
		Where("expires <= ?", s.db.config.Now().Unix()).Order("expires").Limit(expiredBatch)
	err := eachValue(ctx, q, func(key string) { keys = append(keys, key) })
	if err != nil || len(keys) == 0 {
		return err
	}
	_, err = s.db.writing(ctx).tx.NewDelete().ModelTableExpr("?(prefix)agenda_idempotency").
		Where("request_key IN (?)", bun.List(keys)).Exec(ctx)
	return err
}

// Answer stores the answer to the request whose key was passed to Claim in the same Write.
func (s *Idempotency) Answer(ctx context.Context, key string, answer []byte) error {
	row := &schema.IdempotentRequest{Key: key, Answer: answer}
	_, err := s.db.writing(ctx).tx.NewUpdate().Model(row).Column("answer").WherePK().Exec(ctx)
	return err
}
