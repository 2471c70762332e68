package param

import "github.com/agendahq/agenda/internal/shape"

// Takes are, by name, the shapes of parameters whose published type, which
// mirrors an older service, does not tell what they take.
type Takes map[string]*shape.Shape

// Of is what a parameter takes.
func (t Takes) Of(p *Param) *shape.Shape {
	s := t[p.Name]
	switch {
	case s != nil:
	case p.Items != "":
		s = shape.List(&shape.Shape{Type: p.Items})
	case p.Type != "":
		s = &shape.Shape{Type: p.Type}
	case p.Format == "double":
		s = shape.Number()
	default:
		s = shape.Text()
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
func (t Takes) Object(name string, params []*Param) *shape.Shape {
	o := &shape.Shape{Name: name, Type: shape.TypeObject, Open: true}
	for _, p := range params {
		o.Members = append(o.Members, shape.Member{Name: p.Name, Shape: t.Of(p), Optional: !p.Required, About: p.Doc})
	}
	return o
}
