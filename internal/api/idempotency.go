package api

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// keepAnswers is how long the response to a request with an Idempotency-Key is stored.
const keepAnswers = 24 * time.Hour

// maxAnswer is the maximum size of such a stored response in bytes. Requests with up to 1 MiB of texts stay far below
// it, and the statement that stores it, which is twice as long, is far below the limits of database servers.
const maxAnswer = 1 << 20

// Kept returns the response that is stored for a key, or nil.
func (a *Adapter) Kept(ctx context.Context, key string) (*rest.Kept, error) {
	row, err := a.Service.Content.Store.Idempotency.Find(ctx, key)
	switch {
	case errors.Is(err, store.ErrRunning):
		return nil, rest.ErrRunning
	case err != nil || row == nil:
		return nil, err
	}
	return unpack(row)
}

// once executes a write within its transaction and stores the response in the same transaction, which is why the
// response is rendered before the commit.
func (a *Adapter) once(ctx context.Context, o *rest.Once, w Write) (*rest.Response, error) {
	before, err := a.Service.Content.Store.Idempotency.Claim(ctx, o.Key, o.Fingerprint, keepAnswers)
	if err != nil {
		return nil, err
	}
	if before != nil {
		kept, err := unpack(before)
		if err != nil {
			return nil, err
		}
		return nil, &rest.Repeated{Kept: kept}
	}
	done, err := w.Work.ApplyAndShow(ctx)
	if err != nil {
		return nil, err
	}
	o.Out.Reset() // discards the output of an earlier attempt
	resp := w.Render(done)
	packed, err := pack(resp, o)
	if err != nil {
		return nil, err
	}
	if len(packed) > maxAnswer {
		return nil, rest.ErrAnswerTooLarge
	}
	return resp, a.Service.Content.Store.Idempotency.Answer(ctx, o.Key, packed)
}

// keptHead is the part of a stored response that precedes the body.
type keptHead struct {
	Status int           `json:"status"`
	Rights string        `json:"rights"` // of rest.Once
	Header []rest.Header `json:"header"`
}

// pack returns a response in its stored form: a line of JSON and the body, compressed.
func pack(resp *rest.Response, o *rest.Once) ([]byte, error) {
	head := keptHead{Rights: o.Rights}
	if resp != nil {
		head.Status, head.Header = resp.Status, resp.Header
	}
	line, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestSpeed)
	if err != nil {
		return nil, err
	}
	for _, part := range [][]byte{line, {'\n'}, o.Out.Bytes()} {
		if _, err := w.Write(part); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return b.Bytes(), err
}

// unpack returns the response that is stored in a row.
func unpack(row *schema.IdempotentRequest) (*rest.Kept, error) {
	whole, err := io.ReadAll(flate.NewReader(bytes.NewReader(row.Answer)))
	if err != nil {
		return nil, fmt.Errorf("kept answer %s: %w", row.Key, err)
	}
	line, body, _ := bytes.Cut(whole, []byte{'\n'})
	var head keptHead
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, fmt.Errorf("kept answer %s: %w", row.Key, err)
	}
	return &rest.Kept{
		Fingerprint: row.Fingerprint, Rights: head.Rights, Body: body,
		Response: &rest.Response{Status: head.Status, Header: head.Header},
	}, nil
}
