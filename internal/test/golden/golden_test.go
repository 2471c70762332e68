package golden

import "testing"

// failing counts the errors of a test.
type failing struct{ errors int }

func (f *failing) Helper()               {}
func (f *failing) Errorf(string, ...any) { f.errors++ }

// TestEqual checks that values which differ are an error, and equal ones are not.
func TestEqual(t *testing.T) {
	f := &failing{}
	Equal(f, "input", "same", "same")
	Equal(f, "input", "got", "wanted")
	Equal(f, 7, [2]int{1, 2}, [2]int{1, 3})
	if f.errors != 2 {
		t.Errorf("%d errors", f.errors)
	}
}
