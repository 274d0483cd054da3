//go:build !unix

package shell

import (
	"io"
	"os"
	"os/exec"
	"time"
)

// Run says so before any of these is reached.
const supported = false

type tree struct {
	leader int
	more   map[int]bool
	mark   string
}

func newTree(leader int, mark string) tree    { return tree{leader: leader, mark: mark} }
func (t tree) members() []int                 { return nil }
func (t tree) end(time.Duration) bool         { return true }
func newSession(*exec.Cmd)                    {}
func startError(err error) error              { return err }
func exitOf(s *os.ProcessState) (int, string) { return s.ExitCode(), "" }
func drain(*os.File, io.Writer) bool          { return true }
