//go:build !unix

package shell

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"time"

	"clined/internal/tools"
)

// Run says so before any of these is reached.
const supported = false

type tree struct {
	leader int
	more   map[int]bool
	mark   string
}

func newTree(p *os.Process, mark string, _ *processes) tree        { return tree{leader: p.Pid, mark: mark} }
func (t tree) alive(time.Time) bool                                { return false }
func (t tree) end(time.Duration) bool                              { return true }
func (t tree) ofSession() tree                                     { return t }
func readsTerminal(tree) bool                                      { return false }
func newSession(*exec.Cmd)                                         {}
func setLine(*exec.Cmd, string, string)                            {}
func systemShell() (string, error)                                 { return "", ErrUnsupported }
func startError(err error, _ *exec.Cmd, _ tools.CommandLine) error { return err }
func exitOf(s *os.ProcessState) (int, string)                      { return s.ExitCode(), "" }

func allTrees(string) tree { return tree{} }

type processes struct{}

type stream struct{}

func openStream(*exec.Cmd, bool) (*stream, error) { return nil, errors.ErrUnsupported }
func (*stream) start(*exec.Cmd, string) error     { return errors.ErrUnsupported }
func (*stream) copyTo(io.Writer) error            { return nil }
func (*stream) abandon()                          {}
func (*stream) close()                            {}
func (*stream) input() bool                       { return false }
func (*stream) write([]byte) error                { return ErrNoTerminal }
func (*stream) resize(int, int) error             { return ErrNoTerminal }
func (j *job) readAll()                           {}
func (j *job) settle() bool                       { return true }
