package api

import (
	"errors"
	"net/http"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
)

// Errors of writes and of reads for editors, for the documentation.
var (
	errAmbiguous     = apierror.New(http.StatusConflict, "rest_ambiguous_slug", "error_ambiguous_slug")
	errDatesRuled    = apierror.New(http.StatusConflict, "rest_event_dates_ruled", "error_event_dates_ruled")
	errRule          = apierror.New(http.StatusConflict, "rest_event_dates_ruled", "error_event_rule")
	errOneDate       = apierror.New(http.StatusConflict, "rest_event_dates_unsupported", "error_event_one_date")
	errDateOfSeveral = apierror.New(http.StatusConflict, "rest_event_date_of_several", "error_event_date_of_several")
	errDatesConflict = apierror.New(http.StatusConflict, "rest_event_dates_conflict", "error_event_dates_conflict")
)

// errUnstorable is the answer where a site's tables have lower limits than usual ones.
var errUnstorable = apierror.New(http.StatusBadRequest, "rest_invalid_param", "error_unstorable")

// errColumn is the answer where another program's column, whose type has no zero, keeps rows from being added.
var errColumn = apierror.New(http.StatusServiceUnavailable, "rest_database_column", "error_column")

// Errors of operations, for the documentation.
var (
	writeErrors = []*apierror.Error{errUnknown, errUnknownOfOnce, errUnstorable, errColumn}
	matchErrors = append(writeErrors[:len(writeErrors):len(writeErrors)], item.ErrChanged)
	slugErrors  = []*apierror.Error{errAmbiguous} // of writes that find their post by its slug
	dateErrors  = []*apierror.Error{errDatesRuled, errRule, errDatesConflict, errOneDate}
)

// Explain returns the answer for an error of the database or of package content, nil
// for any other.
func Explain(err error) *apierror.Error {
	var slug *content.AmbiguousSlug
	if errors.As(err, &slug) {
		return errAmbiguous.With("Slug", slug.Slug)
	}
	switch {
	case errors.Is(err, content.ErrSeveralDates):
		return errDatesRuled
	case errors.Is(err, content.ErrRule):
		return errRule
	case errors.Is(err, content.ErrOneDate):
		return errOneDate
	case errors.Is(err, content.ErrDateOfSeveral):
		return errDateOfSeveral
	case errors.Is(err, store.ErrDatesConflict):
		return errDatesConflict.Because(err)
	case store.ColumnOf(err) != "":
		return errColumn.With("Column", store.ColumnOf(err)).Because(err)
	case store.Unstorable(err):
		return errUnstorable.Because(err)
	}
	switch store.FaultOf(err) {
	case store.Passing:
		return rest.ErrUnavailable
	case store.TooSlow:
		return rest.ErrTimeout
	case store.Broken:
		return rest.ErrDatabase
	}
	return nil
}
