package main

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/onchange"
	"github.com/agendahq/agenda/internal/webhook"
)

// notifier starts the Notifier of --on-change, or returns nil without that flag. first contains the addresses of the
// API.
func (s *settings) notifier(first version, log *slog.Logger) (*onchange.Notifier, error) {
	if s.onChange == "" {
		if s.onChangeSecret != "" {
			return nil, cli.Usagef("--on-change-secret-file: use it only with an address in --on-change")
		}
		return nil, nil
	}
	c := onchange.Config{
		Send: onchange.Command(s.onChange, cli.Foreign(os.Environ())), Logger: log,
		Again: max(s.requestTimeout, s.cache.MaxStale, s.cache.Settle), // a replica that is read from is behind by less than Settle
		Base:  strings.TrimRight(first.baseURL, "/") + "/" + strings.Trim(s.namespace, "/"),
	}
	if strings.HasPrefix(s.onChange, "http://") || strings.HasPrefix(s.onChange, "https://") {
		text, err := os.ReadFile(s.onChangeSecret)
		if err != nil {
			return nil, cli.Usagef("--on-change-secret-file: --on-change with an address needs it: %v", err)
		}
		key, err := webhook.Secret(string(text))
		if err != nil {
			return nil, cli.Usagef("--on-change-secret-file: %v", err)
		}
		c.Send = onchange.Post(s.onChange, key)
	}
	return onchange.New(c), nil
}

// endNotifier delivers the last changes and stops the notifier.
func endNotifier(ctx context.Context, requestTimeout time.Duration, n *onchange.Notifier) {
	if n == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTimeout(requestTimeout))
	defer cancel()
	n.Close(ctx)
}
