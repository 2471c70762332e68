package exchange

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	posts "github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/store/sourcestore"
)

// ErrAdopt is the error of an Importer.AdoptSource that cannot be adopted.
var ErrAdopt = errors.New("the source cannot be adopted")

// sourceChunk is the number of rows of sources that are rewritten per transaction.
const sourceChunk = 500

// claimSources finds the stored names of the source: its name, the whole address that earlier versions stored, and the
// name of the source that it adopts. It renames all of them to the source's name.
func (r *run) claimSources(ctx context.Context) error {
	is := sourceOf(r.importer.Source)
	if is.Name == "" {
		return nil // items are attributed to no source
	}
	r.source, r.ours = is, map[sourcestore.Source]bool{is: true}
	if is.ID == "" && r.importer.AdoptSource == "" {
		return nil // a path or a name has only one stored form
	}
	adopted := map[sourcestore.Source]bool{}
	sources := sourcestore.New(r.parts.Events.Service.Content.Store)
	rows, err := sources.Rows(r.ctx, r.importer.AdoptSource != "", func(s sourcestore.Source) bool {
		if r.importer.AdoptSource != "" && s != is && r.calledLike(s) {
			adopted[s] = true
		}
		return s != is && (sameSource(s, is) || adopted[s])
	})
	if err != nil {
		return fmt.Errorf("import: %w", err)
	}
	if r.importer.AdoptSource != "" {
		if adopted, err = r.adopted(adopted); err != nil {
			return err
		}
	}
	rows = slices.DeleteFunc(rows, func(row sourcestore.SourceRow) bool { return !sameSource(row.Source, is) && !adopted[row.Source] })
	for _, row := range rows {
		r.ours[row.Source] = true
	}
	for chunk := range slices.Chunk(rows, sourceChunk) {
		if r.importer.DryRun {
			return nil
		}
		err := r.importer.Calendar.Transaction(ctx, func(ctx context.Context) error {
			return sources.Rename(ctx, chunk, is)
		})
		if err != nil {
			return fmt.Errorf("import: %w", err)
		}
	}
	return nil
}

// calledLike reports whether a stored source may be the one to adopt: AdoptSource may be its stored name, its original
// name, or a relative path to it.
func (r *run) calledLike(s sourcestore.Source) bool {
	whole, err := filepath.Abs(r.importer.AdoptSource)
	return s.Name == r.importer.AdoptSource || err == nil && s.Name == whole || sameSource(s, sourceOf(r.importer.AdoptSource))
}

// adopted returns the sources to adopt among those that AdoptSource may mean: those of the whole address, or else the
// only one with that name.
func (r *run) adopted(like map[sourcestore.Source]bool) (map[sourcestore.Source]bool, error) {
	exact, old := map[sourcestore.Source]bool{}, sourceOf(r.importer.AdoptSource)
	for s := range like {
		if sameSource(s, old) {
			exact[s] = true
		}
	}
	switch {
	case !posts.EditsAll(r.ctx, r.parts.Events.PostType):
		return nil, fmt.Errorf("import: %w: the user may not change the events of others", ErrAdopt)
	case len(exact) > 0:
		return exact, nil
	case len(like) > 1:
		return nil, fmt.Errorf("import: %w: several sources are called %s: give the whole address", ErrAdopt, Shown(r.importer.AdoptSource))
	case len(like) == 0:
		return r.adoptedBefore()
	}
	return like, nil
}

// adoptedBefore allows repeating an import that has already adopted its source.
func (r *run) adoptedBefore() (map[sourcestore.Source]bool, error) {
	sources := sourcestore.New(r.parts.Events.Service.Content.Store)
	own, err := sources.Rows(r.ctx, true, func(s sourcestore.Source) bool { return sameSource(s, r.source) })
	if err == nil && len(own) == 0 {
		err = fmt.Errorf("import: %w: nothing came from %s", ErrAdopt, Shown(r.importer.AdoptSource))
	}
	return nil, err
}

// sourceNames returns the names under which the source is stored.
func (r *run) sourceNames() (names []string) {
	for s := range r.ours {
		names = append(names, s.Name)
	}
	slices.Sort(names)
	return slices.Compact(names)
}
