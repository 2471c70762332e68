package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// NewFlags makes the flags of a command, such as "agenda copy", whose errors are
// one line.
func NewFlags(command string) *flag.FlagSet {
	f := flag.NewFlagSet(command, flag.ContinueOnError)
	f.SetOutput(io.Discard)
	return f
}

// Parse reads flags, and the environment for those not given. Help goes
// to out.
func Parse(f *flag.FlagSet, args []string, out io.Writer) error {
	var wrong error
	f.VisitAll(func(x *flag.Flag) {
		name := Environment(x.Name)
		if v, ok := os.LookupEnv(name); ok && wrong == nil {
			if err := x.Value.Set(v); err != nil {
				wrong = fmt.Errorf("%s=%q in the environment: %w", name, v, err)
			}
		}
	})
	if wrong != nil {
		return Usage(wrong)
	}
	err := f.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(out, "flags of %q (environment in brackets):\n", f.Name())
		f.VisitAll(func(x *flag.Flag) {
			fmt.Fprintf(out, "  -%-15s %s [%s]\n", x.Name, x.Usage, Environment(x.Name))
		})
		return err
	}
	if err == nil && f.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", f.Arg(0))
	}
	if err != nil {
		return Usagef("%w; %q lists the flags", err, f.Name()+" -h")
	}
	return nil
}

// Environment returns the name of a flag's environment variable.
func Environment(flag string) string {
	return "AGENDA_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}
