// Package post holds what events, venues and organizers share as posts: the
// parameters of lists, rights, passwords, images and the common fields.
package post

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/media"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/rendercache"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/internal/wp/render"
	"github.com/agendahq/agenda/schema"
)

// Env is what all kinds work with.
type Env struct {
	Store       *store.Store
	Names       schema.Names
	Now         func() time.Time
	PageSize    int64   // items per page, 0 for the site's own setting
	MaxPageSize int64   // items per page at most
	GeoRadius   float64 // of geo searches, in km
	Language    *param.Param
	Languages   *Languages         // in which the site stores its items, nil for none
	Texts       *rendercache.Cache // rendered texts
	Marks       *render.Marks      // typographic marks, nil for the English ones
	Logger      *slog.Logger
	Uploads     *media.Store   // where fetched images go, nil for nowhere
	Fetcher     *media.Fetcher // of images
	// Changed hears of what a write did, once it is committed.
	Changed func(context.Context, []Change)
	// UserExists tells whether a user has an id.
	UserExists func(ctx context.Context, id int64) (bool, error)
	// TryPassword counts the trial of a post's password by the client of a request,
	// right or wrong, and refuses it past the limit. nil counts nothing.
	TryPassword func(r *http.Request, right bool) error
	// Unlinked keeps the links of events right when a venue or organizer enters
	// the trash or is deleted (gone), or leaves the trash.
	Unlinked func(ctx context.Context, r *rest.Request, d *Draft, gone bool) error
}

// Linker returns the addresses of the site's pages in the request's language
// version.
func (e *Env) Linker(ctx context.Context, r *rest.Request) *permalink.Linker {
	links := site.From(ctx).Links
	if r.Root.SiteURL != "" {
		links.Home = r.Root.SiteURL
	}
	return e.newLinker(links)
}

func (e *Env) newLinker(links permalink.Settings) *permalink.Linker {
	return permalink.New(links, e.Names.Event, e.Names.Venue, e.Names.Organizer, e.Names.Category, e.Names.Tag)
}

// Family returns the name that capabilities give to a post type.
func (e *Env) Family(postType string) string {
	if strings.HasSuffix(postType, "s") {
		return postType
	}
	return postType + "s"
}

// MayRead tells whether the caller may read a post. Nobody reads an event in
// the trash.
func (e *Env) MayRead(ctx context.Context, p *store.Post) bool {
	if p.Type == e.Names.Event && p.Status == schema.StatusTrash {
		return false
	}
	c := site.PrincipalFrom(ctx)
	return site.CanRead(c, e.object(p))
}

// MayEdit tells whether the caller may change a post.
func (e *Env) MayEdit(ctx context.Context, p *store.Post) bool {
	c := site.PrincipalFrom(ctx)
	return site.CanEdit(c, e.object(p))
}

// EditsAll tells whether the caller may change everybody's posts of a type.
func (e *Env) EditsAll(r *rest.Request, postType string) bool {
	return r.Principal.Can("edit_others_" + e.Family(postType))
}

func (e *Env) object(p *store.Post) site.Object {
	return site.Object{Author: p.Author, Status: p.Status, Family: e.Family(p.Type)}
}

// Editing tells whether the request asks for the editor's view.
func Editing(r *rest.Request) bool { return param.Value[string](r.Values, "context") == "edit" }

// AuthorText is the author's id as answers show it.
func AuthorText(p *store.Post) string { return strconv.FormatInt(p.Author, 10) }

func writeGlobalID(w *phpjson.Writer, globalID string, m store.Meta) {
	w.KeyString("global_id", globalID)
	w.KeyArray("global_id_lineage")
	w.String(globalID)
	for _, id := range m[schema.MetaGlobalIDLineage] {
		w.String(id)
	}
	w.End()
}
