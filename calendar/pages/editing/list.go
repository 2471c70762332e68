package editing

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// Views of a list.
const (
	viewComing = "coming"
	viewDrafts = "drafts"
	viewPast   = "past"
	viewBin    = "bin"
	viewAll    = "all" // of resources without dates
)

// listPage contains the values of the page of a list.
type listPage struct {
	Kind         string
	New          string // address of the form for a new item; "" if the user may not create one
	Views        []tab
	View         string
	Query        string
	Number       int // of the page
	Rows         []row
	Before, Next string
	Kinds        []tab
}

type tab struct {
	Name, URL string
	Current   bool
}

// row is an item of a list, with the actions that the user may perform on it.
type row struct {
	ID          int64
	Title, When string
	Notes       []string // words for its state, such as draft or cancelled
	Where       string
	Edit, Copy  string // addresses; "" if not permitted
	Page        string // address of the public page
	Do          string // address to which the buttons send
	Buttons     []button
	More        bool // the list contains further occurrences of it
	gone        bool
}

type button struct{ Act, Name string }

// perPage is the number of rows on a page of a list.
const perPage = 50

// views returns the views of a resource's list.
func (k *editor) views() []string {
	switch {
	case k.terms:
		return nil
	case k.name == "events":
		return []string{viewComing, viewDrafts, viewPast, viewBin}
	}
	return []string{viewAll, viewDrafts, viewBin}
}

// showList shows the list of the resource.
func (k *editor) showList(s *Site, r *request) (answer, error) {
	views := k.views()
	p := listPage{Kind: k.name, New: r.link("/" + k.name + "/new/")}
	p.View, p.Query, p.Number = k.listOf(r.URL.Query())
	at := func(view, query string, number int) string { return k.listAt(r, view, query, number, "") }
	for _, view := range views {
		p.Views = append(p.Views, tab{r.lang.word("view." + view), at(view, p.Query, 1), view == p.View})
	}
	for _, other := range s.forms.editors {
		if other.mayAny(r.user()) {
			p.Kinds = append(p.Kinds, tab{r.lang.word("kind." + other.name), r.link("/" + other.name + "/"), other == k})
		}
	}
	pages := int64(0)
	var err error
	p.Rows, pages, err = k.rows(s, r, p.View, p.Query, p.Number)
	if err == nil && len(p.Rows) == 0 && p.Number > 1 { // its last row may just have been moved to the bin
		p.Number = 1
		p.Rows, pages, err = k.rows(s, r, p.View, p.Query, p.Number)
	}
	if err != nil {
		return answer{}, err
	}
	if p.Number > 1 {
		p.Before = at(p.View, p.Query, p.Number-1)
	}
	if int64(p.Number) < pages {
		p.Next = at(p.View, p.Query, p.Number+1)
	}
	return shown("list.html", "kind."+k.name, p), nil
}

// listOf returns the view, the search text and the number of the page of a list, given the values of a request.
func (k *editor) listOf(q url.Values) (view, search string, number int) {
	views := k.views()
	if view = q.Get("view"); !slices.Contains(views, view) {
		view = viewAll
		if len(views) > 0 {
			view = views[0]
		}
	}
	number, err := strconv.Atoi(q.Get("page"))
	if err != nil || number < 1 {
		number = 1
	}
	return view, strings.TrimSpace(q.Get("q")), number
}

// listAt returns the address of a page of the list, which shows the message about what was done unless that is "".
func (k *editor) listAt(r *request, view, search string, number int, what string) string {
	v := url.Values{}
	if view != viewAll && view != viewComing {
		v.Set("view", view)
	}
	if search != "" {
		v.Set("q", search)
	}
	if number > 1 {
		v.Set("page", strconv.Itoa(number))
	}
	if what != "" {
		v.Set("done", what)
	}
	to := r.link("/" + k.name + "/")
	if len(v) > 0 {
		to += "?" + v.Encode()
	}
	return to
}

// rows reads a page of a list, and the number of pages.
func (k *editor) rows(s *Site, r *request, view, search string, number int) (list []row, pages int64, err error) {
	query := url.Values{"per_page": {strconv.Itoa(perPage)}, "page": {strconv.Itoa(number)}}
	if search != "" {
		query.Set("search", search)
	}
	ctx, kinds := r.Context(), s.Calendar.Kinds()
	switch k.name {
	case "events":
		return k.eventRows(s, r, view, query)
	case "venues":
		query.Set("status", statusOf(view))
		return rowsOf(kinds.Venues.List(ctx, query))(func(v calendar.Venue) row {
			return k.row(r, item{v.ID, v.Name, v.Status, v.URL, 0}, strings.Join(filled(v.Address, v.City), ", "))
		})
	case "organizers":
		query.Set("status", statusOf(view))
		return rowsOf(kinds.Organizers.List(ctx, query))(func(o calendar.Organizer) row {
			return k.row(r, item{o.ID, o.Name, o.Status, o.URL, 0}, o.Email)
		})
	}
	query.Set("hide_empty", "false")
	return rowsOf(kinds.Categories.List(ctx, query))(func(t calendar.Term) row {
		return k.row(r, item{t.ID, t.Name, "", "", 0}, r.lang.fill("count.events", decimal(t.Count)))
	})
}

func filled(texts ...string) []string {
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}

func statusOf(view string) string {
	switch view {
	case viewDrafts:
		return "draft,pending"
	case viewBin:
		return "trash"
	}
	return "publish,future,private"
}

// rowsOf returns a function that converts the items of a page to rows. A page that does not exist has none.
func rowsOf[T any](p *calendar.Page[T], err error) func(func(T) row) ([]row, int64, error) {
	return func(of func(T) row) (list []row, pages int64, failed error) {
		if err = notFoundIsNone(err); err != nil || p == nil {
			return nil, 0, err
		}
		for _, one := range p.Items {
			list = append(list, of(one))
		}
		return list, p.TotalPages, nil
	}
}

// item contains what rows of all resources require.
type item struct {
	id                  int64
	title, status, page string
	author              int64 // 0 if unknown
}

// row returns the row of an item, with the actions that the user may perform.
func (k *editor) row(r *request, i item, where string) row {
	at := "/" + k.name + "/" + decimal(i.id) + "/"
	out := row{ID: i.id, Title: plainName(i.title), Where: where, Do: r.link(at + "do/"), gone: i.status == "trash"}
	if out.Title == "" {
		out.Title = r.lang.word("untitled")
	}
	if i.author == 0 {
		i.author = r.user().UserID // show the actions; the API rejects them for items of others
	}
	may := func(verb string) bool { return k.hasRight(r.user(), verb, i.author, i.status) }
	button := func(act string) { out.Buttons = append(out.Buttons, button{act, r.lang.word("do." + act)}) }
	switch {
	case out.gone:
		if may("edit") {
			button(actRestore)
		}
		if may("delete") {
			button(actDelete)
		}
		return out
	case i.status == "publish":
		out.Page = i.page
	case i.status != "":
		out.Notes = append(out.Notes, r.lang.word("status."+i.status))
	}
	if may("edit") {
		out.Edit = r.link(at)
	}
	if k.terms && may("delete") {
		button(actDelete)
	} else if may("delete") {
		button(actBin)
	}
	return out
}

// eventRows reads the rows of events. The occurrences of an event on a page are one row.
func (k *editor) eventRows(s *Site, r *request, view string, query url.Values) (list []row, pages int64, err error) {
	today := s.Now().In(s.Zone).Format(time.DateOnly)
	query.Set("status", statusOf(view))
	query.Set("start_date", "0001-01-02")
	query.Set("end_date", "9999-12-31")
	switch view {
	case viewComing:
		query.Set("start_date", today)
	case viewPast:
		query.Del("end_date")
		query.Del("start_date")
		query.Set("ends_before", today)
		query.Set("order", "desc")
	case viewDrafts:
		query.Set("order", "desc")
	}
	found, err := s.Calendar.Kinds().Events.List(r.Context(), query)
	if err = notFoundIsNone(err); err != nil || found == nil {
		return nil, 0, err
	}
	rows := map[int64]int{}
	for _, e := range found.Items {
		if at, there := rows[e.EventID]; there {
			list[at].More = true
			continue
		}
		rows[e.EventID] = len(list)
		list = append(list, k.eventRow(s, r, e))
	}
	return list, found.TotalPages, nil
}

func (k *editor) eventRow(s *Site, r *request, e calendar.Event) row {
	places := []string{}
	for _, v := range e.Venues {
		places = append(places, plainName(v.Name))
	}
	out := k.row(r, item{e.EventID, e.Title, e.Status, e.URL, e.AuthorID}, strings.Join(places, ", "))
	out.When = r.lang.span(e)
	if e.EventStatus != "" {
		out.Notes = append(out.Notes, r.lang.word("event."+e.EventStatus))
	}
	if e.Recurrence != nil && e.Recurrence.Text != "" {
		out.Notes = append(out.Notes, e.Recurrence.Text)
	}
	if out.gone {
		return out
	}
	if out.Edit == "" {
		return out
	}
	out.Copy = r.link("/events/new/") + "?copy=" + decimal(e.EventID) // reads all values, as the form for editing does
	acts := []string{actCancel, actPostpone}
	if e.EventStatus != "" {
		acts = []string{actPlan}
	}
	for i, act := range acts {
		out.Buttons = slices.Insert(out.Buttons, i, button{act, r.lang.word("do." + act)})
	}
	return out
}

// Actions of the buttons of a row.
const (
	actCancel   = "cancel"
	actPostpone = "postpone"
	actPlan     = "plan" // the event takes place as planned
	actBin      = "bin"
	actRestore  = "restore"
	actDelete   = "delete"
)

// act performs the action of a button, and leads back to the page of the list that the button was on.
func (k *editor) act(s *Site, r *request) (answer, error) {
	ctx, id := r.Context(), r.id
	act := r.form.Get("act")
	if k.name == "events" && act != actRestore && act != actDelete {
		_, whole, err := k.whole(ctx, s.Calendar, id)
		if err != nil {
			return answer{}, err
		}
		id = whole
	}
	err := k.do(ctx, s.Calendar, id, act)
	if err != nil {
		return answer{}, err
	}
	view, search, number := k.listOf(r.form)
	if act == actRestore { // a restored item is a draft
		view, search, number = viewDrafts, "", 1
	}
	return seeOther(k.listAt(r, view, search, number, act)), nil
}

func (k *editor) do(ctx context.Context, c *calendar.Calendar, id int64, act string) error {
	state := map[string]string{actCancel: "canceled", actPostpone: "postponed", actPlan: "scheduled"}[act]
	switch {
	case state != "" && k.name == "events":
		return k.update(ctx, c, id, calendar.Values{"event_status": state})
	case act == actBin && !k.terms:
		return k.remove(ctx, c, id, false)
	case act == actDelete:
		return k.remove(ctx, c, id, !k.terms)
	case act == actRestore && !k.terms:
		return k.update(ctx, c, id, calendar.Values{"status": "draft"})
	}
	return &calendar.Error{Status: http.StatusBadRequest}
}
