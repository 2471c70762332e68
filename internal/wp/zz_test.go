package wp
import ("testing";"time";"os";"fmt";"strings")
func FuzzZZ(f *testing.F) {
	for _, c := range load[pair](f, "description.json", 362) { if strings.Contains(c.In, "[") { f.Add(c.In) } }
	f.Fuzz(func(t *testing.T, s string) {
		tm := time.AfterFunc(2*time.Second, func(){ fmt.Fprintf(os.Stderr,"STUCK %q\n", s); os.WriteFile("/tmp/stuck.txt", []byte(fmt.Sprintf("%q\n",s)), 0644); panic("stuck") })
		defer tm.Stop()
		doShortcodes(s, contentShortcodes, false, shown)
		unwrapShortcodes(s)
		for range parseShortcodeAttrs(s).All() {}
	})
}
