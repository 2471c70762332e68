package store

import "context"

// Write makes a change as a unit of work.
func (s *Transactions) Write(ctx context.Context, change func(context.Context) error) error {
	u, err := s.Begin(ctx)
	if err != nil {
		return err
	}
	defer u.Close()
	for u.Next() {
		u.End(change(u.Context()))
	}
	return u.Err()
}
