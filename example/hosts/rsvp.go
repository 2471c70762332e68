package hosts

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
)

// RSVPs records the replies of people who come to an event, in a table of the host: POST /events/{id}/rsvp.
type RSVPs struct {
	DB       *bun.DB
	Calendar *calendar.Calendar // set once it is created
	Now      func() time.Time
}

// reply is a row of the table.
type reply struct {
	bun.BaseModel `bun:"table:host_replies"`

	Event  int64  `bun:"event,pk"`
	Email  string `bun:"email,pk"`
	Guests int64  `bun:"guests"`
}

// Install creates the table.
func (h *RSVPs) Install(ctx context.Context) error {
	_, err := h.DB.NewCreateTable().Model((*reply)(nil)).IfNotExists().Exec(ctx)
	return err
}

// coming contains the parameters of the route.
type coming struct {
	Event  int64  `param:"id" doc:"The event." doc-nl:"Het evenement."`
	Email  string `param:"email,required" doc:"Who comes." example:"ada@example.org"`
	Guests int64  `param:"guests" min:"1" max:"10" default:"1" doc:"How many come."`
}

// Route declares the route.
func (h *RSVPs) Route() calendar.Route {
	return calendar.RouteFor(calendar.Route{
		Method: http.MethodPost, Path: "/events/{id}/rsvp", Creates: true, MaxBody: 4 << 10,
		Description: "Registers that somebody comes to an event.",
		Texts:       map[string]string{"nl": "Meldt iemand aan voor een evenement.", "fr": "Annonce une personne à un événement."},
		Answer: []calendar.Param{
			{Name: "event", Type: calendar.FieldInteger, Required: true, Description: "The event."},
			{Name: "guests", Type: calendar.FieldInteger, Required: true, Description: "How many come, with all others."},
		},
	}, h.handle)
}

func (h *RSVPs) handle(ctx context.Context, _ *calendar.RouteRequest, given coming) (any, error) {
	email := strings.ToLower(strings.TrimSpace(given.Email))
	if !strings.Contains(email, "@") {
		return nil, &calendar.Refusal{
			Param: "email", Reason: "Use an address of e-mail.",
			Texts: map[string]string{"nl": "Gebruik een e-mailadres.", "fr": "Indiquez une adresse électronique."},
		}
	}
	event, err := h.Calendar.Event(ctx, given.Event) // as the caller may see it, or the API's own error
	if err != nil {
		return nil, err
	}
	if event.End.Before(h.Now()) {
		return nil, &calendar.Refusal{
			Status: http.StatusConflict, Code: "event_over", Reason: "The event is over.",
			Texts: map[string]string{"nl": "Het evenement is voorbij.", "fr": "L’événement est terminé."},
		}
	}
	row := &reply{Event: event.ID, Email: email, Guests: given.Guests}
	if _, err := h.DB.NewInsert().Model(row).On("CONFLICT (event, email) DO UPDATE").Set("guests = EXCLUDED.guests").Exec(ctx); err != nil {
		return nil, err
	}
	answer := struct {
		Event  int64 `json:"event"`
		Guests int64 `json:"guests"`
	}{Event: event.ID}
	err = h.DB.NewSelect().Model((*reply)(nil)).ColumnExpr("SUM(guests)").Where("event = ?", event.ID).Scan(ctx, &answer.Guests)
	return answer, err
}
