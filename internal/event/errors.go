package event

import "github.com/agendahq/agenda/internal/apierror"

// Errors of events.
var (
	ErrNotFound  = apierror.New(apierror.NotFound, "rest-event-not-found", "error_event_not_found")
	ErrNoEvent   = apierror.New(apierror.BadRequest, "rest-invalid-event-id", "error_event_id")
	ErrTrashed   = apierror.New(apierror.Forbidden, "event-no-longer-available", "error_event_trashed")
	ErrNotYours  = apierror.New(apierror.Forbidden, "event-not-accessible", "error_event_not_accessible")
	ErrProtected = apierror.New(apierror.Forbidden, "event-password-protected", "error_event_protected")
	ErrPage      = apierror.New(apierror.NotFound, "event-archive-page-not-found", "error_event_page")
	ErrInTrash   = apierror.New(apierror.Gone, "event-is-in-trash", "error_event_in_trash")
)
