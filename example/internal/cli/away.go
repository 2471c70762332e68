package cli

// AwayError is the error of a database that is unreachable. A command with a waiting time tries again.
type AwayError struct{ error }

// Unwrap returns the wrapped error.
func (e AwayError) Unwrap() error { return e.error }

// DatabaseAway wraps an error as an AwayError.
func DatabaseAway(err error) error { return AwayError{err} }
