package users

import (
	"context"
	"slices"
)

// As returns the id of the user that a command runs as: the one with the login, or if login is "", the oldest
// administrator.
func (s *Site) As(ctx context.Context, login string) (int64, error) {
	if login != "" {
		u, err := s.find(ctx, "user", login)
		if err != nil {
			return 0, err
		}
		return u.ID, nil
	}
	all, err := s.List(ctx)
	if err != nil {
		return 0, err
	}
	for _, u := range all {
		if slices.Contains(u.Roles, "administrator") {
			return u.ID, nil
		}
	}
	return 0, mistake("the site has no administrator: name a user with --user")
}
