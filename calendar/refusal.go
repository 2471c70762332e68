package calendar

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"golang.org/x/text/language"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/param"
)

// Refusal is the error by which a host refuses: Hooks.BeforeWrite a write, the handler of a Route a request. See Refuse for the usual one.
type Refusal struct {
	// Status is that of the answer, from 400 to 499. Default 400.
	Status int

	// Code is the code of the answer. Default "rest_invalid_param" for a Param and 400, else "rest_refused".
	Code string

	// Param is the parameter that is wrong, which the answer names. Default: none, the whole request.
	Param string

	// Reason says in a sentence why. Texts are the same in other languages, by their tags ("nl"); the others get Reason.
	Reason string
	Texts  map[string]string
}

// codeRefused is the code of a Refusal that has none. Only hosts answer it.
const codeRefused = "rest_refused"

// Refuse returns the Refusal of a request because of a parameter: the answer is that to an invalid parameter, 400, with the reason.
func Refuse(name, reason string) error { return &Refusal{Param: name, Reason: reason} }

// ErrForbidden is the error by which Hooks.BeforeWrite and the handler of a Route refuse their caller: 403, or 401 to an anonymous one.
var ErrForbidden = caller.ErrForbidden

// Error returns the reason.
func (r *Refusal) Error() string {
	if r.Param == "" {
		return "calendar: refused: " + r.Reason
	}
	return fmt.Sprintf("calendar: refused: %s: %s", r.Param, r.Reason)
}

// answerOf returns the error of the API for one of a host's code, in the language of the request of ctx.
func answerOf(ctx context.Context, err error) error {
	var r *Refusal
	if !errors.As(err, &r) {
		return err
	}
	status, code := r.Status, r.Code
	if status == 0 {
		status = http.StatusBadRequest
	}
	if status < http.StatusBadRequest || status >= http.StatusInternalServerError {
		return fmt.Errorf("a Refusal with Status %d: use one from 400 to 499: %w", status, err)
	}
	reason := inLanguage(language.Make(caller.LanguageFrom(ctx)), r.Texts, r.Reason)
	if status == http.StatusBadRequest && code == "" && r.Param != "" {
		return param.Refuse(r.Param, param.Invalid("fault_host", "Reason", reason))
	}
	if code == "" {
		code = codeRefused
	}
	answer := apierror.New(status, code, "error_host").With("Reason", reason)
	if r.Param != "" {
		answer = answer.WithData("param", r.Param)
	}
	return answer
}

// inLanguage returns a text in a language: in the one itself, in a more general one, or the given one.
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
