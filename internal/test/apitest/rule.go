package apitest

import (
	"context"
	"errors"

	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
)

// Apply reads a value by the rule of a parameter. For an invalid value, the error is a *param.Fault.
func Apply[T any](ctx context.Context, rule param.Rule[T], v any) (T, error) {
	key, body := param.Key[T]("x"), param.NewMap()
	body.Set("x", v)
	values, err := param.Read(ctx, []*param.Param{key.Param(jsonschema.Any(), rule)}, param.Sources{JSON: body})
	var refused *param.Failure
	if errors.As(err, &refused) {
		err = refused.Faults[0]
	}
	if err != nil {
		var none T
		return none, err
	}
	return key.Value(values), nil
}
