//go:build !linux

package sandbox

import (
	"os/exec"
	"runtime"
)

// New returns a Sandbox that confines nothing.
func New(string) *Sandbox { return &Sandbox{support: Available} }

// Support is what this system can do: nothing.
func (s *Sandbox) Support() Support { return s.support() }

// Available is what this system can do: nothing.
func Available() Support {
	why := "is " + runtime.GOOS + ", where commands are not confined yet"
	return Support{WhyFiles: why, WhyNamespaces: why}
}

func (s *Sandbox) wrap(*exec.Cmd, Plan) error { return nil }

// Main is the child, which nobody starts here.
func Main([]string) int { return ExitSetup }
