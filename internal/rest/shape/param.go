package shape

import "github.com/agendahq/agenda/internal/param"

// Takes are, by name, the shapes of parameters whose published type, which
// mirrors an older service, does not tell what they take.
type Takes map[string]*Shape

// Of is what a parameter takes.
func (t Takes) Of(p *param.Param) *Shape {
	s := t[p.Name]
	switch {
	case s != nil:
	case p.Items != "":
		s = List(&Shape{Type: p.Items})
	case p.Type != "":
		s = &Shape{Type: p.Type}
	case p.Format == "double":
		s = Number()
	default:
		s = Text()
	}
	return s
}

// Join returns all of t and more; what stands in more counts.
func (t Takes) Join(more Takes) Takes {
	all := Takes{}
	for _, from := range []Takes{t, more} {
		for name, s := range from {
			all[name] = s
		}
	}
	return all
}

// Object is an object of parameters. What is not declared in it is passed over.
func (t Takes) Object(name string, params []*param.Param) *Shape {
	o := &Shape{Name: name, Type: TypeObject, Open: true}
	for _, p := range params {
		o.Members = append(o.Members, Member{p.Name, t.Of(p), !p.Required, p.Doc})
	}
	return o
}
