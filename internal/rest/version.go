package rest

import (
	"crypto/sha256"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
)

// Version returns a hash of this program and of the options that answers depend on.
func Version(options string) string {
	built := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		built = info.String() // modules with their versions, and the commit
	}
	if !strings.Contains(built, "vcs.revision") { // built without the repository, for example in a container
		built += executable()
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s", built, options))
	return string(sum[:])
}

// executable identifies the program's file, for programs that were built without their repository.
func executable() string {
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	file, err := os.Stat(name)
	if err != nil {
		return ""
	}
	return fmt.Sprint(file.Size(), file.ModTime().UnixNano())
}
