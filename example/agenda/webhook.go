package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/progress"
)

// webhookFlag adds the flag with the networks to which messages may be sent.
func (s *settings) webhookFlag(f *pflag.FlagSet) {
	f.StringVar(&s.webhookNetworks, "webhook-networks", "",
		"Your own networks that webhooks may reach on any port: addresses or prefixes, comma-separated (default none: public "+
			"addresses, on the ports 80 and 443)")
}

// telling contains the flags of the webhook commands.
type telling struct {
	journaling
	kinds []string
	items bool
	after int64
}

// webhookCommand groups the webhook commands.
func webhookCommand() *cobra.Command {
	root := &cobra.Command{
		Use: "webhook", Short: "Notify other programs of all changes on a site, by any writer",
		Long: "Notify addresses of each change of events, venues, organizers, categories and tags that everybody may read, in messages\n" +
			"signed as Standard Webhooks 1.0 says. The site needs a journal: see 'agenda journal --help'. 'agenda serve' sends the\n" +
			"messages.",
		Example: "  agenda webhook add https://example.org/hook",
	}
	var t telling
	add := t.command("add ADDRESS", "Add an address and print the secret that signs its messages", 1, t.addWebhook)
	add.Flags().StringSliceVar(&t.kinds, "kinds", nil, "Kinds to notify of, comma-separated: events, venues and so on (default all)")
	add.Flags().BoolVar(&t.items, "items", false, "Put the item into messages, as everybody may read it (default false)")
	replay := t.command("replay NUMBER", "Enable a webhook and send now what is waiting for it", 1, t.replay)
	replay.Flags().Int64Var(&t.after, "after", 0, "Send the changes after this position of the journal again (default 0: none)")
	root.AddCommand(add, t.command("list", "List webhooks and what is waiting for them", 0, t.list),
		t.command("test NUMBER", "Send a webhook a test message and show its response", 1, t.test), replay,
		t.command("rotate NUMBER", "Print a new secret; the previous one also signs for a day", 1, t.rotate),
		t.command("remove NUMBER", "Remove a webhook and what is waiting for it", 1, t.remove))
	return root
}

// command returns a command with n arguments, where n is args.
func (t *telling) command(use, short string, args int,
	run func(context.Context, *calendar.Calendar, string, io.Writer) error) *cobra.Command {
	name, _, _ := strings.Cut(use, " ")
	example := map[int]string{0: "", 1: " 1"}[args]
	if name == "add" {
		example = " https://example.org/hook"
	}
	cmd := &cobra.Command{
		Use: use, Short: short, Long: short + ".",
		Example: "  agenda webhook " + name + example,
		Args: func(_ *cobra.Command, given []string) error {
			if len(given) != args {
				return cli.Usagef("webhook %s needs %d arguments, not %d", name, args, len(given))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, given []string) (err error) {
			defer func() { err = t.site.explained(webhookMistake(err)) }()
			if _, err := networksOf("webhook-networks", t.site.webhookNetworks); err != nil {
				return err
			}
			db, err := t.site.OpenSite(cmd.Context())
			if err != nil {
				return err
			}
			defer db.Close()
			return t.with(cmd.Context(), db, cmd.ErrOrStderr(), func(c *calendar.Calendar) error {
				return run(cmd.Context(), c, strings.Join(given, ""), cmd.OutOrStdout())
			})
		},
	}
	cli.Group(cmd.Flags(), "Database", func(f *pflag.FlagSet) { t.site.Database.Flags(f) })
	cli.Group(cmd.Flags(), "Site", t.site.webhookFlag, func(f *pflag.FlagSet) {
		f.StringVar(&t.site.baseURL, "base-url", "", baseURLUsage)
	})
	_ = cmd.MarkFlagDirname("data")
	return cmd
}

// webhookMistake makes a usage error of an error with which the calendar rejects a request.
func webhookMistake(err error) error {
	var refused *calendar.Error
	if !errors.As(err, &refused) {
		return err
	}
	for name, reason := range refused.Params {
		if refused.Code == calendar.CodeWebhookNetwork {
			reason += ".\nNetworks of your own are allowed by --webhook-networks, on any port, for this command and for 'agenda serve'"
		}
		return cli.Usagef("webhook: %s: %s", name, reason)
	}
	return cli.Usagef("webhook: %s", refused.Message)
}

// webhookNumber parses the number of a webhook.
func webhookNumber(text string) (int64, error) {
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id < 1 {
		return 0, cli.Usagef("webhook: %q is not the number of a webhook: see 'agenda webhook list'", text)
	}
	return id, nil
}

func (t *telling) addWebhook(ctx context.Context, c *calendar.Calendar, address string, out io.Writer) error {
	added, secret, err := c.AddWebhook(ctx, calendar.Webhook{Address: address, Kinds: t.kinds, Items: t.items})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "Webhook %d. Its secret, which is not shown again:\n%s\n", added.ID, secret)
	if t.site.webhookNetworks != "" {
		fmt.Fprintf(out, "'agenda serve' needs the same --webhook-networks %s; otherwise it sends nothing there.\n", t.site.webhookNetworks)
	}
	return nil
}

func (t *telling) list(ctx context.Context, c *calendar.Calendar, _ string, out io.Writer) error {
	list, err := c.Webhooks(ctx)
	if err == nil && len(list) == 0 {
		fmt.Fprintln(out, "There are no webhooks. 'agenda webhook add ADDRESS' adds one.")
	}
	for _, w := range list {
		state := progress.Grouped(w.Waiting) + " messages wait"
		if w.Failed > 0 {
			state += ", of which " + progress.Grouped(w.Failed) + " failed for good"
		}
		if w.Disabled != "" {
			state = "disabled (" + w.Disabled + "), " + state
		}
		if w.LastFailure.After(w.LastSuccess) {
			state += "; since " + w.LastFailure.Format(time.RFC3339) + ": " + w.Problem
		}
		kinds := "all"
		if len(w.Kinds) > 0 {
			kinds = strings.Join(w.Kinds, ",")
		}
		fmt.Fprintf(out, "%d  %s  %s  %s\n", w.ID, w.Address, kinds, state)
	}
	return err
}

func (t *telling) test(ctx context.Context, c *calendar.Calendar, text string, out io.Writer) error {
	id, err := webhookNumber(text)
	if err == nil {
		err = c.TestWebhook(ctx, id)
	}
	if err == nil {
		fmt.Fprintln(out, "The message was accepted.")
	}
	return err
}

func (t *telling) replay(ctx context.Context, c *calendar.Calendar, text string, out io.Writer) error {
	id, err := webhookNumber(text)
	if err != nil {
		return err
	}
	if t.after < 0 {
		return cli.Usagef("--after %d: use a position of the journal, as in messages", t.after)
	}
	waiting, err := c.ReplayWebhook(ctx, id, t.after)
	if err == nil {
		fmt.Fprintf(out, "%s messages are waiting; 'agenda serve' sends them now.\n", progress.Grouped(waiting))
	}
	return err
}

func (t *telling) rotate(ctx context.Context, c *calendar.Calendar, text string, out io.Writer) error {
	id, err := webhookNumber(text)
	if err != nil {
		return err
	}
	secret, err := c.RotateWebhook(ctx, id)
	if err == nil {
		fmt.Fprintf(out, "Its new secret, which is not shown again; the previous one also signs for a day:\n%s\n", secret)
	}
	return err
}

func (t *telling) remove(ctx context.Context, c *calendar.Calendar, text string, out io.Writer) error {
	id, err := webhookNumber(text)
	if err == nil {
		err = c.RemoveWebhook(ctx, id)
	}
	if err == nil {
		fmt.Fprintln(out, "The webhook was removed.")
	}
	return err
}
