package cli

// AwayError is a database that does not answer: what is tried again where a command is told to wait.
type AwayError struct{ error }

// Unwrap returns the error itself.
func (e AwayError) Unwrap() error { return e.error }

// DatabaseAway returns an error as one of a database that does not answer.
func DatabaseAway(err error) error { return AwayError{err} }
