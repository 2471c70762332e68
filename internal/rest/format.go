package rest

import (
	"slices"

	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
)

// Format is a format of answers that some operations offer besides JSON. Errors are always JSON.
type Format struct {
	Name    string // in the parameter _format
	Media   string // type and subtype, in the header Accept
	About   string // message id of the description
	Example string
}

const paramFormat param.Key[string] = "_format"

// formatJSON is the name of JSON in _format.
const formatJSON = "json"

// Offer adds a format to an operation that reads, with its handler and the parameter that selects it.
func (o *Operation) Offer(f *Format, handle Handler) {
	o.Offered, o.inFormat = f, handle
	o.Unshown = append(o.Unshown, string(paramFormat))
	names := []string{formatJSON, f.Name}
	o.Params = append(o.Params,
		paramFormat.Param(jsonschema.Words(names...), param.Checked(param.OneOf(names...)), param.Doc("param_format"), param.Untyped(),
			param.Unlisted()))
}

// handler returns the handler for a format, nil for JSON.
func (o *Operation) handler(f *Format) Handler {
	if f == nil {
		return o.Handle
	}
	return o.inFormat
}

// InFormat returns the operation restricted to the format that it offers, for a separate address, so that generated clients
// know the type of the answer there. It omits the parameters in without, which have no effect in that format.
func (o *Operation) InFormat(id string, without ...string) *Operation {
	c := *o
	c.ID, c.Only, c.Offered, c.Params, c.Unshown = id, o.Offered, nil, o.Documented(), nil
	c.Params = slices.DeleteFunc(c.Params, func(p *param.Param) bool { return slices.Contains(without, p.Name) })
	return &c
}

// Documented returns the parameters that the document describes. It omits those that change the type of the answer,
// such as the one that selects a format, because the document has a separate address for that.
func (o *Operation) Documented() []*param.Param {
	return slices.DeleteFunc(slices.Clone(o.Params), func(p *param.Param) bool { return slices.Contains(o.Unshown, p.Name) })
}

// chooseFormat sets the format from _format or, without it, from the header Accept. An unknown name is rejected later
// with the other parameters. Clients that name no other media type get JSON, as all of them did before there were
// formats.
func (c *request) chooseFormat() {
	c.Format = c.op.Only
	f := c.op.Offered
	if f == nil {
		return
	}
	name, given := option(c.src, string(paramFormat))
	if given && f.Name == name || !given && Prefers(c.HTTP.Header.Values("Accept"), f.Media) {
		c.Format = f
	}
}

// negotiates reports whether the header Accept determines the format of the answer to a request with parameters; o may
// be nil.
func (o *Operation) negotiates(sent param.Sources) bool {
	_, given := option(sent, string(paramFormat))
	return !given && o != nil && o.Offered != nil
}

// formatName returns the name of a format, nil for JSON, for cache keys and validators.
func formatName(f *Format) string {
	if f == nil {
		return formatJSON
	}
	return f.Name
}

// refuseShaping rejects options that change the shape of JSON if the answer is in another format.
func refuseShaping(f *Format, sent param.Sources, envelope bool) error {
	if f == nil {
		return nil
	}
	given := map[string]bool{optionEnvelope: envelope}
	_, given[optionFields] = option(sent, optionFields)
	_, given[optionPretty] = option(sent, optionPretty)
	names := slices.DeleteFunc([]string{optionFields, optionEnvelope, optionPretty}, func(name string) bool { return !given[name] })
	return param.RefuseEach(names, param.Invalid("fault_json_only"))
}
