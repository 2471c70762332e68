package openapi

import (
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/shape"
)

var plainError = rest.ErrorShape("Error", shape.Text()).Doc("doc_error")

// withCodes narrows the usual error to codes.
func withCodes(codes []string) *shape.Shape {
	narrow := shape.Object("", shape.Optional("code", shape.Words(codes...))).Opened().Undescribed()
	return &shape.Shape{AllOf: []*shape.Shape{plainError, narrow}}
}

// failures are the answers to an operation that did not succeed, by status.
func failures(route *rest.Route, o *rest.Operation) []*answer {
	byStatus := map[int]*answer{}
	for _, e := range route.AllErrors(o) {
		if byStatus[e.Status] == nil {
			byStatus[e.Status] = &answer{status: e.Status}
		}
		byStatus[e.Status].add(e)
	}
	return slices.SortedFunc(maps.Values(byStatus), func(a, b *answer) int { return a.status - b.status })
}
