package kses

import "github.com/agendahq/agenda/internal/wp/phpval"

// blockAttributes filters the attributes of a block and encodes them anew.
func (a *Allowed) blockAttributes(d delimiter, depth int) string {
	if d.json == "" {
		return ""
	}
	v, ok := decodeJSON(d.json)
	if !ok {
		return ""
	}
	list, _ := a.blockValue(v, d.name, depth).(*phpval.Array)
	if list.Len() == 0 {
		return ""
	}
	return string(appendJSON(nil, list))
}

// blockValue filters the texts and names in an attribute.
func (a *Allowed) blockValue(v phpval.Value, block string, depth int) phpval.Value {
	switch x := v.(type) {
	case string:
		return a.value(x, depth)
	case *phpval.Array:
		return a.blockMembers(x, block, depth)
	}
	return v
}

// blockMembers filters the members of an attribute. A changed name moves its
// member to the end, or into the place of one that has the name.
func (a *Allowed) blockMembers(x *phpval.Array, block string, depth int) *phpval.Array {
	out := &phpval.Array{}
	for k, e := range x.All() {
		out.Set(k, e)
	}
	for k, e := range x.All() {
		key := k
		if _, isInt := k.Int(); !isInt {
			key = phpval.StrKey(a.value(k.String(), depth))
		}
		e = a.blockValue(e, block, depth)
		if block == "core/template-part" && key.String() == "tagName" {
			e = a.templateTag(e)
		}
		if key != k {
			out.Delete(k)
		}
		out.Set(key, e)
	}
	return out
}

// templateTag is the name of the element that a template part is wrapped in: ""
// if it is not allowed.
func (a *Allowed) templateTag(v phpval.Value) phpval.Value {
	name, ok := v.(string)
	if _, allowed := a.tags[name]; ok && !allowed && phpval.Truthy(name) {
		return ""
	}
	return v
}
