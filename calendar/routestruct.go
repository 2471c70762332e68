package calendar

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"

	"github.com/agendahq/agenda/internal/hostroute"
)

// RouteFor returns a Route whose Params are the fields of the struct P. handle is called with their values. A field is
// a string, an int64 (a FieldInteger), a float64 (a FieldNumber), a bool (a FieldYesNo), a []string (a FieldList) or a
// time.Time (a FieldDate, at midnight UTC), and has tags:
//
//	type reply struct {
//		Event  int64  `param:"id" doc:"The event."`
//		Email  string `param:"email,required" doc:"Who comes." doc-nl:"Wie komt."`
//		Guests int64  `param:"guests" min:"1" max:"10" default:"1" doc:"How many come."`
//		Table  string `param:"table" choices:"inside,outside" doc:"Where they sit."`
//	}
//
// The tag param is the name of the parameter. The tags min, max, default, choices (which makes it a FieldChoice) and
// example set the fields of Param, doc and doc-LANGUAGE its Description and Texts. A field that is no parameter has the
// tag param:"-" and any other tags. An invalid field, and a missing, unknown or invalid tag, is an error of New and
// Register, which names the field. If r has Params, they come first.
func RouteFor[P any](r Route, handle func(ctx context.Context, r *RouteRequest, p P) (any, error)) Route {
	of := reflect.TypeFor[P]()
	if of.Kind() != reflect.Struct {
		r.wrong = fmt.Errorf("the parameters of RouteFor are a %s: use a struct", of)
		return r
	}
	var names []string // names of the parameters, by field index; "" for fields that are none
	var errs []error
	for i := range of.NumField() {
		f := of.Field(i)
		tag := f.Tag.Get("param")
		if tag == "-" {
			names = append(names, "")
			continue
		}
		p, err := hostroute.ParamOf(f, tag)
		if err != nil {
			errs = append(errs, fmt.Errorf("the field %s of %s: %w", f.Name, of, err))
		}
		names, r.Params = append(names, p.Name), append(slices.Clip(r.Params), Param(p))
	}
	r.wrong = errors.Join(errs...)
	if handle != nil {
		r.Handle = func(ctx context.Context, q *RouteRequest) (any, error) {
			var p P
			fields := reflect.ValueOf(&p).Elem()
			for i, name := range names {
				if name != "" {
					hostroute.SetField(fields.Field(i), name, q.values)
				}
			}
			return handle(ctx, q, p)
		}
	}
	return r
}
