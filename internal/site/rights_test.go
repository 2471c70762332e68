package site

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/caller"
)

// who may do what the words say.
type who string

// as returns the user with that id who may do it.
func (w who) as(user int64) caller.Principal {
	p := caller.Principal{UserID: user, Capabilities: map[string]bool{}}
	for c := range strings.FieldsSeq(string(w)) {
		p.Capabilities[c] = true
	}
	return p
}

// The roles of a default installation, as far as venues are concerned.
const (
	nobody      who = ""
	subscriber  who = "read"
	contributor     = subscriber + " edit_tribe_venues"
	author          = contributor + " publish_tribe_venues edit_published_tribe_venues"
	editor          = author + " edit_others_tribe_venues edit_private_tribe_venues read_private_tribe_venues"
)

// The matrix of single reads: a letter for each state, in capitals where the
// caller's own.
func TestCanRead(t *testing.T) {
	states := []string{"publish", "draft", "pending", "private", "future", "trash"}
	for _, c := range []struct {
		name        string
		who         who
		user        int64
		others, own string // + may, - may not, in the order of the states
	}{
		{"nobody", nobody, 0, "+-----", "+-----"},
		{"subscriber", subscriber, 5, "+-----", "++++++"},
		{"contributor", contributor, 5, "+-----", "++++++"},
		{"author", author, 5, "+-----", "++++++"},
		{"editor", editor, 5, "++++++", "++++++"},
		{"without the right to read", "edit_others_tribe_venues edit_published_tribe_venues", 5, "+++-++", "+-----"},
		{"with rights to another type", "read edit_others_tribe_events edit_private_tribe_events read_private_tribe_events", 5, "+-----",
			"++++++"},
	} {
		for i, state := range states {
			others := CanRead(c.who.as(c.user), Object{Author: 9, Status: state, Family: "tribe_venues"})
			own := CanRead(c.who.as(c.user), Object{Author: c.user, Status: state, Family: "tribe_venues"})
			if others != (c.others[i] == '+') || own != (c.own[i] == '+') {
				t.Errorf("%s, %s: others' %v, own %v", c.name, state, others, own)
			}
		}
	}
}

// Both verbs follow one rule, each with the capabilities that carry its name.
func TestCanEditAndDelete(t *testing.T) {
	objects := []Object{
		{Status: "publish"}, {Status: "future"}, {Status: "draft"}, {Status: "pending"}, {Status: "private"},
		{Status: "trash"}, {Status: "trash", TrashedFrom: "draft"}, {Status: "trash", TrashedFrom: "private"},
		{Status: "trash", TrashedFrom: "publish"}, {Status: "trash", TrashedFrom: "future"}, {Status: "draft", TrashedFrom: "publish"},
	}
	verbs := map[string]func(caller.Principal, Object) bool{"edit": CanEdit, "delete": CanDelete}
	for _, c := range []struct {
		name        string
		who         who
		user        int64
		others, own string
	}{
		{"nobody", nobody, 0, "-----------", "-----------"},
		{"subscriber", subscriber, 5, "-----------", "-----------"},
		{"contributor", contributor, 5, "-----------", "--++++++--+"},
		{"author", author, 5, "-----------", "+++++++++++"},
		{"editor", editor, 5, "+++++++++++", "+++++++++++"},
		{"one who edits others' drafts", "edit_others_tribe_venues", 5, "--++-++++++", "-----------"},
		{"one who edits what is published", "edit_published_tribe_venues", 5, "-----------", "++------++-"},
	} {
		for i, o := range objects {
			for verb, may := range verbs {
				o.Family = "tribe_venues"
				rights := who(strings.ReplaceAll(string(c.who), "edit_", verb+"_")).as(c.user)
				o.Author = 9
				others := may(rights, o)
				o.Author = c.user
				own := may(rights, o)
				if others != (c.others[i] == '+') || own != (c.own[i] == '+') {
					t.Errorf("%s, %s %s %s: others' %v, own %v", c.name, verb, o.Status, o.TrashedFrom, others, own)
				}
				for other, may := range verbs {
					if other != verb && may(rights, o) {
						t.Errorf("%s: the right to %s gives the one to %s", c.name, verb, other)
					}
				}
			}
		}
	}
	// A post without an author is nobody's own.
	draft := Object{Status: "draft", Family: "tribe_venues"}
	if CanEdit(nobody.as(0), draft) || CanDelete(nobody.as(0), draft) || CanRead(nobody.as(0), draft) {
		t.Error("an anonymous caller owns posts without an author")
	}
}
