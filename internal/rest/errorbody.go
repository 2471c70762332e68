package rest

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strings"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
)

// writeError writes the error's body and returns its status.
func writeError(w *phpjson.Writer, t Translator, err error) int {
	var failure *param.Failure
	var bad *param.JSONError
	if errors.As(err, &failure) {
		writeFailure(w, t, failure)
		return http.StatusBadRequest
	}
	if errors.As(err, &bad) {
		err = errInvalidJSON.WithData("json_error_code", int64(bad.Code)).WithData("json_error_message", t.Text(jsonTexts[bad.Code], nil))
	}
	e := err.(*apierror.Error)
	w.Object()
	w.KeyString("code", e.Code)
	w.KeyString("message", t.Text(e.Message.ID, e.Message.Data))
	w.KeyObject("data")
	w.KeyInt("status", int64(e.Status))
	writeMembers(w, e.Data)
	w.End()
	writeMembers(w, e.Members)
	w.End()
	return e.Status
}

func writeMembers(w *phpjson.Writer, members []apierror.Member) {
	for _, m := range members {
		switch x := m.Value.(type) {
		case int64:
			w.KeyInt(m.Name, x)
		case string:
			w.KeyString(m.Name, x)
		case json.RawMessage:
			w.Key(m.Name)
			w.Raw(x)
		case []int64:
			w.KeyArray(m.Name)
			for _, n := range x {
				w.Int(n)
			}
			w.End()
		}
	}
}

var jsonTexts = map[int]string{
	param.JSONDepth: "json_depth", param.JSONSyntax: "json_syntax", param.JSONUTF8: "json_utf8", param.JSONHalf: "json_utf16",
}

func writeFailure(w *phpjson.Writer, t Translator, f *param.Failure) {
	e, names := ErrInvalidParam, f.Missing
	if f.Missing != nil {
		e = errMissing
	}
	for _, fault := range f.Faults {
		names = append(names, fault.Param)
	}
	message := param.Message{ID: e.Message.ID, Data: map[string]any{"Names": strings.Join(names, ", "), "Count": len(names)}}
	if f.Reason != nil {
		message = *f.Reason
	}
	w.Object()
	w.KeyString("code", e.Code)
	w.KeyString("message", messageText(t, message))
	w.KeyObject("data")
	w.KeyInt("status", http.StatusBadRequest)
	if f.Missing != nil {
		w.KeyStrings("params", names...)
	} else {
		writeFaults(w, t, f.Faults)
	}
	w.End()
	w.End()
}

func writeFaults(w *phpjson.Writer, t Translator, faults []*param.Fault) {
	w.KeyObject("params")
	for _, f := range faults {
		w.KeyString(f.Param, messageText(t, f.Message))
	}
	w.End()
	w.KeyObject("details")
	for _, f := range faults {
		if f.Code == "" {
			continue
		}
		w.KeyObject(f.Param)
		w.KeyString("code", f.Code)
		w.KeyString("message", messageText(t, f.Message))
		w.KeyObject("data")
		w.KeyString("param", f.Param)
		w.End()
		w.End()
	}
	w.End()
}

// messageText returns the text of a message. Its data may contain messages too.
func messageText(t Translator, m param.Message) string {
	data := m.Data
	for name, v := range m.Data {
		if inner, ok := v.(param.Message); ok {
			data = maps.Clone(data)
			data[name] = messageText(t, inner)
		}
	}
	return t.Text(m.ID, data)
}

// ParamsIn returns what is wrong with parameters, by name, according to the member "data" of an answer. Of a missing
// parameter that is the message.
func ParamsIn(data json.RawMessage, message string) (params map[string]string) {
	var more struct{ Params json.RawMessage }
	_ = json.Unmarshal(data, &more)
	if json.Unmarshal(more.Params, &params) == nil {
		return params
	}
	var missing []string
	if json.Unmarshal(more.Params, &missing) == nil {
		params = map[string]string{}
		for _, name := range missing {
			params[name] = message
		}
	}
	return params
}
