package shell

import (
	"io"
	"os"
	"os/exec"
	"time"
)

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
