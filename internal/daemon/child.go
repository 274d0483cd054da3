package daemon

import (
	"io"
	"os"

	"clined/internal/doctext"
	"clined/internal/sandbox"
	"clined/internal/shell"
)

// ReaperArg is the only argument of the child that ends leftover processes.
const ReaperArg = "reap-children"

// Child plays the child of a daemon that a process was started as: the program
// of Options.Executable must call it first of all, with its arguments and
// streams, and exit with code when ok. exit ends the process at once.
func Child(args []string, in *os.File, out io.Writer, exit func(int)) (code int, ok bool) {
	if len(args) == 0 {
		return 0, false
	}
	switch {
	case args[0] == sandbox.ChildArg:
		return sandbox.Main(args[1:]), true
	case args[0] == ReaperArg && len(args) == 1:
		return shell.ReaperMain(in), true
	case args[0] == doctext.ChildArg && len(args) == 2:
		return doctext.Main(in, out, doctext.Format(args[1]), exit), true
	}
	return 0, false
}
