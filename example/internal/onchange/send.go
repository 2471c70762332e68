package onchange

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/webhook"
)

// maxOutput is how many bytes of a failed command's output its error contains.
const maxOutput = 1000

// Command returns a Config.Send that runs a shell command in an environment, with one line per change on its standard
// input.
func Command(command string, environment []string) func(context.Context, string, []Line) error {
	return func(ctx context.Context, _ string, list []Line) error {
		var in bytes.Buffer
		e := json.NewEncoder(&in)
		for _, l := range list {
			if err := e.Encode(l); err != nil {
				return err
			}
		}
		cmd := exec.CommandContext(ctx, "sh", "-c", command)
		cmd.Stdin, cmd.Env, cmd.WaitDelay = &in, environment, time.Second
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out[:min(len(out), maxOutput)])))
		}
		return nil
	}
}

// Post returns a Config.Send that posts {"type":"changes","timestamp":…,"data":[…]} to an address, signed with a key
// according to Standard Webhooks (v1). It does not follow redirects.
func Post(address string, key []byte) func(context.Context, string, []Line) error {
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return func(ctx context.Context, id string, list []Line) error {
		now := time.Now()
		body, err := json.Marshal(map[string]any{"type": "changes", "timestamp": now.UTC().Format(time.RFC3339), "data": list})
		if err != nil {
			return err
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
		if err != nil {
			return err
		}
		signature, moment := webhook.Sign(id, now, body, key)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set(webhook.HeaderID, id)
		r.Header.Set(webhook.HeaderTimestamp, moment)
		r.Header.Set(webhook.HeaderSignature, signature)
		answer, err := client.Do(r)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10))
		if answer.StatusCode/100 != 2 {
			return fmt.Errorf("the response is %s", answer.Status)
		}
		return nil
	}
}
