package api

import (
	"errors"
	"net/http"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/dberr"
)

// Errors of writes, which are declared for the documentation, too.
var (
	errAmbiguous     = apierror.New(http.StatusConflict, "rest_ambiguous_slug", "error_ambiguous_slug")
	errDatesRuled    = apierror.New(http.StatusConflict, "rest_event_dates_ruled", "error_event_dates_ruled")
	errRule          = apierror.New(http.StatusConflict, "rest_event_dates_ruled", "error_event_rule")
	errOneDate       = apierror.New(http.StatusConflict, "rest_event_dates_unsupported", "error_event_one_date")
	errDateOfSeveral = apierror.New(http.StatusConflict, "rest_event_date_of_several", "error_event_date_of_several")
	errDatesConflict = apierror.New(http.StatusConflict, "rest_event_dates_conflict", "error_event_dates_conflict")
)

// errUnstorable is returned if the tables of a site have lower limits than usual.
var errUnstorable = apierror.New(http.StatusBadRequest, "rest_invalid_param", "error_unstorable")

// errColumn is returned if rows cannot be added because of a column of another program whose type has no usable
// default.
var errColumn = apierror.New(http.StatusServiceUnavailable, "rest_database_column", "error_column")

// Errors that several operations declare for the documentation.
var (
	writeErrors = []*apierror.Error{errUnknown, errUnknownOfOnce, errUnstorable, errColumn}
	matchErrors = append(writeErrors[:len(writeErrors):len(writeErrors)], item.ErrChanged)
	slugErrors  = []*apierror.Error{errAmbiguous} // of writes that identify a post by its slug
	dateErrors  = []*apierror.Error{errDatesRuled, errRule, errDatesConflict, errOneDate}
)

// Explain converts an error of the database or of package content to the error of a response. It returns nil for any
// other error.
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
	case dberr.Unstorable(err):
		return errUnstorable.Because(err)
	}
	switch dberr.FaultOf(err) {
	case dberr.Passing:
		return rest.ErrUnavailable
	case dberr.TooSlow:
		return rest.ErrTimeout
	case dberr.Broken:
		return rest.ErrDatabase
	}
	return nil
}
