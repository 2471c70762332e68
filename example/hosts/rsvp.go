package hosts

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
)

// RSVPs take the replies of people who come to an event, in a table of the host's own: POST /events/{id}/rsvp.
type RSVPs struct {
	DB       *bun.DB
	Calendar *calendar.Calendar // set once it is made
	Now      func() time.Time
}

// reply is a row of the table.
type reply struct {
	bun.BaseModel `bun:"table:host_replies"`

	Event  int64  `bun:"event,pk"`
	Email  string `bun:"email,pk"`
	Guests int64  `bun:"guests"`
}

// Install makes the table.
func (h *RSVPs) Install(ctx context.Context) error {
	_, err := h.DB.NewCreateTable().Model((*reply)(nil)).IfNotExists().Exec(ctx)
	return err
}

// Route declares the route.
func (h *RSVPs) Route() calendar.Route {
	one, most := 1.0, 10.0
	return calendar.Route{
		Method: http.MethodPost, Path: "/events/{id}/rsvp", Creates: true, Handle: h.handle, MaxBody: 4 << 10,
		Description: "Tells that somebody comes to an event.",
		Texts:       map[string]string{"nl": "Meldt iemand aan voor een evenement.", "fr": "Annonce une personne à un événement."},
		Params: []calendar.Param{
			{Name: "id", Type: calendar.FieldInteger, Description: "The event.", Texts: map[string]string{"nl": "Het evenement."}},
			{Name: "email", Type: calendar.FieldText, Required: true, Description: "Who comes.", Example: "ada@example.org"},
			{Name: "guests", Type: calendar.FieldInteger, Min: &one, Max: &most, Default: 1, Description: "How many come."},
		},
		Answer: []calendar.Param{
			{Name: "event", Type: calendar.FieldInteger, Required: true, Description: "The event."},
			{Name: "guests", Type: calendar.FieldInteger, Required: true, Description: "How many come, with all others."},
		},
	}
}

func (h *RSVPs) handle(ctx context.Context, r *calendar.RouteRequest) (any, error) {
	email := strings.ToLower(strings.TrimSpace(r.Text("email")))
	if !strings.Contains(email, "@") {
		return nil, &calendar.Refusal{
			Param: "email", Reason: "Use an address of e-mail.",
			Texts: map[string]string{"nl": "Gebruik een e-mailadres.", "fr": "Indiquez une adresse électronique."},
		}
	}
	event, err := h.Calendar.Event(ctx, r.Int("id")) // as the caller may see it, or the API's own refusal
	if err != nil {
		return nil, err
	}
	if event.End.Before(h.Now()) {
		return nil, &calendar.Refusal{
			Status: http.StatusConflict, Code: "event_over", Reason: "The event is over.",
			Texts: map[string]string{"nl": "Het evenement is voorbij.", "fr": "L’événement est terminé."},
		}
	}
	row := &reply{Event: event.ID, Email: email, Guests: r.Int("guests")}
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
