package replay

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// request builds what a line recorded, with the ids that this server gave out.
func (p *player) request(ctx context.Context, l *line) (*http.Request, error) {
	body, kind, err := p.body(l)
	if err != nil {
		return nil, err
	}
	path := p.c.fillText(l.Path)
	req, err := http.NewRequestWithContext(ctx, l.Method, p.c.root+path, body)
	if err != nil {
		return nil, err
	}
	for k, v := range l.Headers {
		req.Header.Set(k, v)
	}
	if kind != "" && req.Header.Get("Content-Type") == "" {
		req.Header.Set("Content-Type", kind)
	}
	if l.As == "" {
		return req, nil
	}
	password, ok := p.creds[l.As]
	if !ok {
		return nil, fmt.Errorf("no password of user %q", l.As)
	}
	req.SetBasicAuth(l.As, password)
	return req, nil
}

// body returns what is sent and the type that it has unless the line names one.
func (p *player) body(l *line) (io.Reader, string, error) {
	const formType = "application/x-www-form-urlencoded"
	switch {
	case given(l.Body):
		v, err := decode(l.Body)
		if err != nil {
			return nil, "", err
		}
		text, err := encode(p.c.fill(v))
		return strings.NewReader(string(text)), "application/json", err
	case given(l.Form):
		v, err := decode(l.Form)
		if err != nil {
			return nil, "", err
		}
		text, err := formText(p.c.fill(v))
		return strings.NewReader(text), formType, err
	case l.Raw != nil:
		return strings.NewReader(*l.Raw), formType, nil
	}
	return nil, "", nil
}

// formText encodes a form in its recorded order; a list repeats its name.
func formText(v any) (string, error) {
	form, ok := v.(*object)
	if !ok {
		return "", fmt.Errorf("a form is an object, not %s", show(v))
	}
	var pairs []string
	for _, k := range form.keys {
		list, ok := form.vals[k].([]any)
		if !ok {
			list = []any{form.vals[k]}
		}
		for _, item := range list {
			switch item.(type) {
			case string, json.Number:
				pairs = append(pairs, url.QueryEscape(k)+"="+url.QueryEscape(labelText(item)))
			default:
				return "", fmt.Errorf("form field %s: %s has no form", k, show(item))
			}
		}
	}
	return strings.Join(pairs, "&"), nil
}

// fill puts the server's ids in the place of their labels.
func (c *comparer) fill(v any) any {
	switch v := v.(type) {
	case string:
		if m := onlyHolder.FindStringSubmatch(v); m != nil {
			if id, ok := c.labels[m[1]]; ok {
				return id
			}
		}
		return c.fillText(v)
	case *object:
		filled := newObject()
		for _, k := range v.keys {
			filled.add(k, c.fill(v.vals[k]))
		}
		return filled
	case []any:
		filled := []any{}
		for _, x := range v {
			filled = append(filled, c.fill(x))
		}
		return filled
	}
	return v
}

func (c *comparer) fillText(s string) string {
	return placeholder.ReplaceAllStringFunc(s, func(holder string) string {
		if id, ok := c.labels[strings.Trim(holder, "{}")]; ok {
			return labelText(id)
		}
		return holder
	})
}
