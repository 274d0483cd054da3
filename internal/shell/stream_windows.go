package shell

import (
	"io"
	"os"
	"os/exec"
	"time"
)

// stream is the pipe that a command writes to. Its reads know no deadline.
type stream struct {
	f     *os.File // our end
	child *os.File // the command's end, closed once it is started
}

// openStream makes the stream and gives cmd its end. The standard input is empty:
// there are no terminals yet.
func openStream(cmd *exec.Cmd, _ bool) (*stream, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = w, w
	return &stream{f: r, child: w}, nil
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

// copyTo reads until the stream ends.
func (s *stream) copyTo(w io.Writer) error {
	_, err := io.Copy(w, s.f)
	return err
}

func (s *stream) close()                { s.f.Close() }
func (s *stream) input() bool           { return false }
func (s *stream) write([]byte) error    { return ErrNoTerminal }
func (s *stream) resize(int, int) error { return ErrNoTerminal }

// readAll reads until the stream ends.
func (j *job) readAll() {
	io.Copy(j.out, j.stream.f)
	j.read <- true
}

// settle gives what the shell wrote before it exited a moment to be read, and
// tells whether the stream has ended; otherwise its reader goes on.
func (j *job) settle() (ended bool) {
	moment := time.NewTimer(settle)
	defer moment.Stop()
	select {
	case <-j.read:
		return true
	case <-moment.C:
		return false
	}
}

// readOn is for systems where settle stops the reader.
func (j *job) readOn() {}
