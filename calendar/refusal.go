package calendar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"

	"golang.org/x/text/language"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/param"
)

// Refusal is the error with which a host rejects a write in Hooks.BeforeWrite, or a request in the handler of a Route.
// Refuse returns the usual one.
type Refusal struct {
	// Status is the status of the answer, from 400 to 499. Default 400.
	Status int

	// Code is the code of the answer. Default: "rest_invalid_param" if Param is set and Status is 400, otherwise
	// "rest_refused".
	Code string

	// Param is the name of the invalid parameter, which the answer contains. Default: none; the Refusal is about the
	// whole request.
	Param string

	// Reason says why, in one sentence. Texts are its translations, by language tag ("nl"). Languages without one use
	// Reason.
	Reason string
	Texts  map[string]string
}

// codeRefused is the default code of a Refusal. The API itself does not use it.
const codeRefused = "rest_refused"

// Refuse returns a Refusal because of a parameter. It is answered with 400, like any invalid parameter, and contains
// the reason.
func Refuse(name, reason string) error { return &Refusal{Param: name, Reason: reason} }

// ErrForbidden is the error with which Hooks.BeforeWrite and the handler of a Route reject the caller. It is answered
// with 403, or with 401 if the caller is anonymous.
var ErrForbidden = caller.ErrForbidden

// Error returns the reason.
func (r *Refusal) Error() string {
	if r.Param == "" {
		return "calendar: refused: " + r.Reason
	}
	return fmt.Sprintf("calendar: refused: %s: %s", r.Param, r.Reason)
}

// answerOf converts an error of the host's code to the API's error, in the language of ctx's request.
func answerOf(ctx context.Context, err error) error {
	var r *Refusal
	if !errors.As(err, &r) {
		return err
	}
	status := cmp.Or(r.Status, http.StatusBadRequest)
	if status < http.StatusBadRequest || status >= http.StatusInternalServerError {
		return fmt.Errorf("a Refusal with Status %d: use one from 400 to 499: %w", status, err)
	}
	reason := inLanguage(language.Make(caller.LanguageFrom(ctx)), r.Texts, r.Reason)
	if status == http.StatusBadRequest && r.Code == "" && r.Param != "" {
		return param.Refuse(r.Param, param.Invalid("fault_host", "Reason", reason))
	}
	answer := apierror.New(status, cmp.Or(r.Code, codeRefused), "error_host").With("Reason", reason)
	if r.Param != "" {
		answer = answer.WithData("param", r.Param)
	}
	return answer
}

// inLanguage returns the text in the language of tag or in a more general one, and the default otherwise if there is
// none.
func inLanguage(tag language.Tag, texts map[string]string, otherwise string) string {
	for ; !tag.IsRoot(); tag = tag.Parent() {
		for of, text := range texts {
			if language.Make(of) == tag {
				return text
			}
		}
	}
	return otherwise
}
