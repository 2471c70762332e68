package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/exchange"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/users"
	"github.com/agendahq/agenda/schema"
)

const (
	baseURLUsage   = "Public root of the API in the first language (default: SITE/wp-json)"
	languagesUsage = "Language versions, the first at the root (default: the site's languages that have texts, else en)"
	leaveOutUsage  = "What may be left out, comma-separated: dates (of recurring events, all but their own), and fields and kinds " +
		"that the format has no place for"
)

// exchanging contains the flags that import and export share.
type exchanging struct {
	settings
	user, format, language string
}

func (e *exchanging) siteFlags(f *pflag.FlagSet) {
	f.StringVar(&e.user, "user", "", "User to run as, whose rights apply (default the oldest administrator)")
	f.StringVar(&e.languages, "languages", "", languagesUsage)
	f.StringVar(&e.baseURL, "base-url", "", baseURLUsage)
	f.StringVar(&e.fields, "fields", "", fieldsUsage)
	e.translationsFlag(f)
}

// open opens the calendar of the flags, and determines the user to run as.
func (e *exchanging) open(ctx context.Context, errOut io.Writer) (c *calendar.Calendar, as calendar.Principal, closeAll func(), err error) {
	db, err := e.Database.OpenSite(ctx)
	if err != nil {
		return nil, as, nil, err
	}
	defer func() {
		if err != nil {
			_ = db.Close()
		}
	}()
	if err = e.mustBeWhole(ctx, db); err != nil {
		return nil, as, nil, err
	}
	site, err := users.Open(db, e.Tables())
	if err != nil {
		return nil, as, nil, err
	}
	as.UserID, err = site.As(ctx, e.user)
	var mistake users.Mistake
	if errors.As(err, &mistake) {
		return nil, as, nil, cli.Usage(mistake)
	}
	if err != nil {
		return nil, as, nil, err
	}
	c, remove, err := e.calendar(ctx, db, errOut)
	if err != nil {
		return nil, as, nil, err
	}
	return c, as, func() {
		ended, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		_ = c.Close(ended)
		remove()
		_ = db.Close()
	}, nil
}

// calendar creates the calendar that a server with the same flags would serve.
func (e *exchanging) calendar(ctx context.Context, db *bun.DB, errOut io.Writer) (*calendar.Calendar, func(), error) {
	base := e.baseURL
	if base == "" {
		bound, err := schema.Bind(db, e.Prefix)
		if err != nil {
			return nil, nil, err
		}
		found, err := siteSettings(ctx, bound, e.Prefix)
		if err != nil {
			return nil, nil, err
		}
		base = strings.TrimRight(found.Home, "/") + "/wp-json"
	}
	log := slog.New(slog.NewTextHandler(errOut, &slog.HandlerOptions{Level: slog.LevelError}))
	if err := e.findLanguages(ctx, db, log); err != nil {
		return nil, nil, err
	}
	versions, err := e.versions(base)
	if err != nil {
		return nil, nil, err
	}
	uploads, remove, err := e.openUploads(ctx, db, versions[0])
	if err != nil {
		return nil, nil, err
	}
	e.namespace, e.requestTimeout, e.maxBody, e.maxAnswer = "vendor/events/v1", time.Minute, 64<<20, calendar.None
	o, err := e.options(db, versions, uploads, log)
	if err != nil {
		return nil, nil, err
	}
	o.Cache.Bytes, o.JournalShare = calendar.None, calendar.None
	c, err := calendar.New(ctx, o)
	if err != nil {
		remove()
		return nil, nil, cli.Usage(err)
	}
	return c, remove, nil
}

// exchangeError returns the error of an import or export that did not finish, which determines the exit status.
func exchangeError(err error) error {
	if exchange.Away(err) {
		return cli.DatabaseAway(err)
	}
	return err
}
