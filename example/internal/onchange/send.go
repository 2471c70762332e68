package onchange

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

// maxOutput is how much of what a command prints is in the error when it fails.
const maxOutput = 1000

// Command returns a Config.Send that runs a command of the shell, with a line for each change on its standard input.
func Command(command string) func(context.Context, string, []Line) error {
	return func(ctx context.Context, _ string, list []Line) error {
		var in bytes.Buffer
		e := json.NewEncoder(&in)
		for _, l := range list {
			if err := e.Encode(l); err != nil {
				return err
			}
		}
		cmd := exec.CommandContext(ctx, "sh", "-c", command)
		cmd.Stdin, cmd.WaitDelay = &in, time.Second
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out[:min(len(out), maxOutput)])))
		}
		return nil
	}
}

// ErrSecret is the error of a secret that is no one of Standard Webhooks.
var ErrSecret = errors.New(`a secret is "whsec_" and 24 to 64 bytes in base64`)

// Secret reads a secret in the form of Standard Webhooks.
func Secret(text string) ([]byte, error) {
	encoded, ok := strings.CutPrefix(strings.TrimSpace(text), "whsec_")
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(key) < 24 || len(key) > 64 {
		return nil, ErrSecret
	}
	return key, nil
}

// signature returns that of a message as Standard Webhooks says, version 1.
func signature(key []byte, id, moment string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, moment, body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Post returns a Config.Send that posts {"type":"changes","timestamp":…,"data":[…]} to an address, signed with a key as Standard
// Webhooks (v1) says. Redirects are not followed.
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
		moment := strconv.FormatInt(now.Unix(), 10)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("webhook-id", id)
		r.Header.Set("webhook-timestamp", moment)
		r.Header.Set("webhook-signature", signature(key, id, moment, body))
		answer, err := client.Do(r)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10))
		if answer.StatusCode/100 != 2 {
			return fmt.Errorf("the answer is %s", answer.Status)
		}
		return nil
	}
}
