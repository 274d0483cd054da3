package sandbox

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// The test binary is the child, too.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == ChildArg {
		os.Exit(Main(os.Args[2:]))
	}
	goleak.VerifyTestMain(m)
}
