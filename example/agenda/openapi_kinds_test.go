package main

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// kinds contains the documented kinds of responses that were not seen yet: statuses of operations, forms of successful
// responses, and codes of errors.
type kinds struct {
	statuses map[string]bool   // such as "getEvent 200"
	forms    map[string][]form // of an operation's successful responses
	codes    map[string]bool
	counts   map[string]int
}

// form is an alternative of a union, which is the whole response or an element of a list.
type form struct{ name, list string }

func kindsOf(d *apiDocument) *kinds {
	k := &kinds{statuses: map[string]bool{}, forms: map[string][]form{}, codes: map[string]bool{}, counts: map[string]int{}}
	for _, op := range d.operations {
		for _, status := range op.statuses() {
			k.statuses[fmt.Sprint(op.does(), " ", status)] = true
			if status >= 300 {
				continue
			}
			_, pointer := d.response(op, status)
			top, at := d.at(pointer + "/content/application~1json/schema")
			if top == nil {
				continue // the response is in another format
			}
			k.forms[op.does()] = alternatives(top, "")
			properties, _ := top.(map[string]any)["properties"].(map[string]any)
			for name := range properties {
				if items, _ := d.at(at + "/properties/" + escaped(name) + "/items"); items != nil {
					k.forms[op.does()] = append(k.forms[op.does()], alternatives(items, name)...)
				}
			}
		}
	}
	for _, op := range d.operations {
		for _, codes := range op.tree["x-errors"].(map[string]any) {
			for _, code := range codes.([]any) {
				k.codes[code.(string)] = true
			}
		}
	}
	return k
}

// does returns the name of what an operation does. PUT and PATCH do the same as POST.
func (o *apiOperation) does() string {
	for _, verb := range []string{"put", "patch"} {
		if rest, ok := strings.CutPrefix(o.id, verb); ok {
			return "update" + rest
		}
	}
	return o.id
}

// alternatives returns the named alternatives of a union.
func alternatives(schema any, list string) (found []form) {
	union, _ := schema.(map[string]any)["oneOf"].([]any)
	for _, alternative := range union {
		if ref, ok := alternative.(map[string]any)["$ref"].(string); ok {
			found = append(found, form{ref, list})
		}
	}
	return found
}

// saw counts a response by its status, and returns the number of such responses so far.
func (k *kinds) saw(op *apiOperation, status int) int {
	key := fmt.Sprint(op.does(), " ", status)
	delete(k.statuses, key)
	k.counts[key]++
	return k.counts[key]
}

var codePattern = regexp.MustCompile(`"code":\s*"([^"]*)"`)

// sawError removes the codes in an error from those that were not seen.
func (k *kinds) sawError(answer []byte) {
	if len(k.codes) > 0 {
		for _, m := range codePattern.FindAllSubmatch(answer, -1) {
			delete(k.codes, string(m[1]))
		}
	}
}

// sawForm removes the forms that a successful response has from those that were not seen.
func (k *kinds) sawForm(d *apiDocument, op *apiOperation, answer []byte) error {
	if len(k.forms[op.does()]) == 0 {
		return nil
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer))
	if err != nil {
		return err
	}
	k.forms[op.does()] = slices.DeleteFunc(k.forms[op.does()], func(f form) bool {
		values := []any{v}
		if f.list != "" {
			values, _ = v.(map[string]any)[f.list].([]any)
		}
		s, failed := d.schema(f.name, false)
		if failed != nil {
			err = failed
			return false
		}
		return slices.ContainsFunc(values, func(v any) bool { return s.Validate(v) == nil })
	})
	return err
}

// missed fails a test for every kind that was never seen.
func (k *kinds) missed(t *testing.T) {
	for _, key := range slices.Sorted(maps.Keys(k.statuses)) {
		t.Errorf("never seen: %s", key)
	}
	for _, id := range slices.Sorted(maps.Keys(k.forms)) {
		for _, f := range k.forms[id] {
			t.Errorf("never seen: %s with %s", id, f.name)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(k.codes)) {
		t.Errorf("never seen: an error %s", code)
	}
}
