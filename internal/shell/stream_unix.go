//go:build unix

package shell

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// pipeSize is what a pipe holds on the systems we know (pipe(7)); a terminal
// holds less. More cannot have been written before the shell exited.
const pipeSize = 64 << 10

// The size of a terminal until it is told another: wide, for its lines become
// text that wraps elsewhere.
const defaultCols, defaultRows = 160, 40

// openStream makes the stream and gives cmd its end. Without tty the standard
// input is empty.
func openStream(cmd *exec.Cmd, tty bool) (*stream, error) {
	s := &stream{tty: tty, typing: make(chan struct{}, 1)}
	var err error
	if !tty {
		if s.f, s.child, err = os.Pipe(); err != nil {
			return nil, err
		}
	} else if err = s.openTerminal(); err != nil {
		return nil, err
	} else {
		cmd.Stdin = s.child
		cmd.SysProcAttr.Setctty = true // Ctty 0: the standard input
	}
	cmd.Stdout, cmd.Stderr = s.child, s.child
	return s, nil
}

// openTerminal opens a terminal. The library has asked its file for the
// descriptor, which makes it a blocking one (os.File.Fd): a read of such a file
// would know no deadline and outlive Close, so it is taken anew.
func (s *stream) openTerminal() error {
	master, slave, err := pty.Open()
	if err != nil {
		return err
	}
	defer master.Close()
	fd := -1
	if err = pty.Setsize(slave, &pty.Winsize{Cols: defaultCols, Rows: defaultRows}); err == nil {
		fd, err = unix.FcntlInt(master.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	}
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		slave.Close()
		if fd >= 0 {
			unix.Close(fd)
		}
		return err
	}
	s.f, s.child = os.NewFile(uintptr(fd), "terminal"), slave
	return nil
}

// write types into the terminal.
func (s *stream) write(data []byte) error {
	if !s.tty {
		return ErrNoTerminal
	}
	s.typing <- struct{}{}
	defer func() { <-s.typing }()
	s.f.SetWriteDeadline(time.Now().Add(inputWait))
	_, err := s.f.Write(data)
	return inputError(err)
}

func (s *stream) resize(cols, rows int) error {
	if !s.tty {
		return ErrNoTerminal
	}
	raw, err := s.f.SyscallConn()
	if err != nil {
		return inputError(err)
	}
	var failed error
	if err := raw.Control(func(fd uintptr) {
		failed = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(cols), Row: uint16(rows)})
	}); err != nil {
		return inputError(err)
	}
	return inputError(failed)
}

func inputError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errors.New("the command does not read its input")
	case errors.Is(err, os.ErrClosed), errors.Is(err, syscall.EIO):
		return ErrNoCommand
	}
	return err
}

// readAll reads until the stream ends or settle takes over.
func (j *job) readAll() {
	buf := make([]byte, 64<<10)
	for {
		n, err := j.stream.f.Read(buf)
		j.out.Write(buf[:n])
		if err != nil {
			j.read <- !errors.Is(err, os.ErrDeadlineExceeded)
			return
		}
	}
}

// settle collects what the shell wrote before it exited and tells whether the
// stream has ended; otherwise no reader is left. Whoever else holds the stream
// is given a moment (a `>(tee x)` is about to finish), then what lies in it is
// taken and no more.
func (j *job) settle() (ended bool) {
	moment := time.NewTimer(settle)
	defer moment.Stop()
	select {
	case ended = <-j.read:
		return ended
	case <-moment.C:
	}
	j.stream.f.SetReadDeadline(time.Unix(1, 0))
	if ended = <-j.read; ended {
		return true
	}
	j.stream.f.SetReadDeadline(time.Time{})
	return drain(j.stream.f, j.out)
}

// readOn goes on reading after settle.
func (j *job) readOn() { go j.readAll() }

// drain takes what lies in the stream without waiting for more and tells whether
// the stream has ended. A writer that never rests is left after one pipe's worth.
func drain(r *os.File, to io.Writer) (ended bool) {
	raw, err := r.SyscallConn()
	if err != nil {
		return true
	}
	buf := make([]byte, pipeSize)
	for taken := 0; taken < pipeSize; {
		var n int
		var readErr error
		if err := raw.Read(func(fd uintptr) bool {
			n, readErr = syscall.Read(int(fd), buf)
			return true
		}); err != nil {
			return true
		}
		switch {
		case readErr == syscall.EINTR:
		case readErr == syscall.EAGAIN:
			return false
		case readErr != nil || n == 0:
			return true
		default:
			to.Write(buf[:n])
			taken += n
		}
	}
	return false
}
