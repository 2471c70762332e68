package rest

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/nearest"
	"github.com/agendahq/agenda/internal/param"
)

// ParamNames returns the names of the parameters of an operation.
func (o *Operation) ParamNames() (names []string) {
	for _, p := range o.Params {
		names = append(names, p.Name)
	}
	return names
}

// IsParameter reports whether a name, ignoring brackets after it, is one of some parameters or an option. Options
// define how an answer is written; their names begin with "_".
func IsParameter(name string, names []string) bool {
	name, _, _ = strings.Cut(name, "[")
	return strings.HasPrefix(name, "_") || slices.Contains(names, name)
}

// checkNames rejects names for which the operation has no parameter, because their values would have no effect. language
// is the parameter of every operation that selects a language.
func (o *Operation) checkNames(language string, sent ...*param.Map) error {
	names := append(o.ParamNames(), language)
	failure := &param.Failure{}
	for _, m := range sent {
		for _, name := range m.Keys() {
			if IsParameter(name, names) {
				continue
			}
			fault := param.Invalid("fault_name")
			if near := nearest.Name(name, names); near != "" {
				fault = param.Invalid("fault_name_near", "Name", near)
			}
			fault.Param = name
			failure.Faults = append(failure.Faults, fault)
		}
	}
	if failure.Faults == nil {
		return nil
	}
	return failure
}
