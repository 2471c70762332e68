package main

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/demo"
	"github.com/agendahq/agenda/example/internal/uploads"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// uploadsName is the directory of images, within the data directory of the embedded database.
const uploadsName = "uploads"

// openUploads returns the directory of fetched images, if there is one, and creates it for the embedded database.
// remove deletes the directory if it is temporary.
func (s *settings) openUploads(ctx context.Context, db *bun.DB, first version) (u calendar.Uploads, remove func(), err error) {
	remove = func() {}
	u = calendar.Uploads{Dir: s.uploads, BaseURL: s.uploadsURL}
	if s.DSN != "" {
		if u.Dir == "" {
			return u, remove, nil
		}
		if info, err := os.Stat(u.Dir); err != nil || !info.IsDir() {
			return u, remove, cli.Usagef("--uploads %s: there is no such directory", u.Dir)
		}
		if u.BaseURL == "" {
			u.BaseURL, err = siteUploads(ctx, db, s.Prefix)
		}
		return u, remove, err
	}
	u.BaseURL = first.siteURL + strings.TrimSuffix(demo.UploadsPath, "/")
	switch {
	case u.Dir == "" && s.Data == embedded.Memory:
		if u.Dir, err = os.MkdirTemp("", "agenda-uploads-"); err == nil {
			remove = func() { _ = os.RemoveAll(u.Dir) } // the system clears temporary files that are left behind
		}
	case u.Dir == "":
		u.Dir = filepath.Join(s.Data, uploadsName)
		fallthrough
	default:
		err = os.MkdirAll(u.Dir, 0o755)
	}
	if err != nil {
		return u, remove, cli.Usagef("--uploads: the directory cannot be created: %w", err)
	}
	return u, remove, nil
}

// siteUploads returns the address below which a site serves its images.
func siteUploads(ctx context.Context, db *bun.DB, prefix string) (string, error) {
	bound, err := schema.Bind(db, prefix)
	if err != nil {
		return "", cli.Usage(err)
	}
	settings, err := siteSettings(ctx, bound, prefix)
	if err != nil {
		return "", err
	}
	names := schema.DefaultNames()
	return permalink.New(settings.Links, nil, names.Category, names.Tag).Uploads(), nil
}

// siteSettings returns the settings of a site.
func siteSettings(ctx context.Context, bound *bun.DB, prefix string) (*site.Settings, error) {
	st, err := store.New(ctx, store.Config{DB: bound, Names: schema.DefaultNames()})
	if err != nil {
		return nil, err
	}
	cache := &site.Cache{Options: st.Options.Values, Prefix: prefix}
	settings, err := cache.Settings(ctx)
	if err != nil {
		return nil, cli.Usagef("the settings of the site cannot be read: %w", err)
	}
	return settings, nil
}

// imagesHandler serves the images of a demo site and those in the directory of uploads. prefix is the path of the site.
func imagesHandler(prefix, dir string) http.Handler {
	fetched := http.StripPrefix(demo.UploadsPath, uploads.Handler(dir))
	return http.StripPrefix(prefix, demo.Images(fetched))
}
