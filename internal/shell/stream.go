package shell

import (
	"io"
	"os"
	"os/exec"
)

// stream is what a command writes to: a pipe, or a terminal that it reads too.
type stream struct {
	f     *os.File // our end
	child *os.File // the command's end, closed once it is started
	tty   bool
	// typing is held by the one who types into a terminal: a channel hands it on in
	// the order in which it was asked for, a mutex may not.
	typing chan struct{}
}

// start starts cmd and closes what is only its own.
func (s *stream) start(cmd *exec.Cmd, mark string) error {
	err := startTagged(cmd, mark)
	s.child.Close()
	if err != nil {
		s.f.Close()
	}
	return err
}

// abandon closes the stream of a command that is not started.
func (s *stream) abandon() {
	s.child.Close()
	s.f.Close()
}

// copyTo reads until the stream ends or is closed.
func (s *stream) copyTo(w io.Writer) error {
	_, err := io.Copy(w, s.f)
	return err
}

func (s *stream) close() { s.f.Close() }

// input tells whether the command can be typed to.
func (s *stream) input() bool { return s.tty }
