package mcphub

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"
)

const (
	// A server has stopGrace to end after its input was closed, then
	// termGrace after it was asked to terminate; then it is killed. What it
	// left behind in its group gets leftoverGrace. In all well under 5 s.
	stopGrace     = 1500 * time.Millisecond
	termGrace     = time.Second
	leftoverGrace = 100 * time.Millisecond
	// drainTime is how long output is still read once the server itself has
	// ended: a child it left behind may hold the pipes open.
	drainTime = 200 * time.Millisecond
)

// spec is what to start.
type spec struct {
	path string
	args []string
	dir  string
	env  []string
	// maxLine bounds a line of its stdout, in bytes.
	maxLine int
	// pace is that of reading what it says.
	pace *pace
	// confine is Options.Confine.
	confine func(*exec.Cmd) error
}

// process is a running server and everything it started.
type process struct {
	stdin *asyncWriter
	group *group
	// outputEnded is closed when stdout has ended; outputErr then says why if
	// it was not the server's doing.
	outputEnded chan struct{}
	outputErr   error
	// exited is closed when the server itself has ended and its output is
	// read; exit is then a phrase such as "exit code 1".
	exited chan struct{}
	exit   string
}

// startProcess starts s in a process group of its own. Messages go to stdout,
// which is closed at the end, other lines of stdout and those of stderr to the
// log functions.
func startProcess(s spec, stdout io.WriteCloser, garbage, stderr func(line string)) (_ *process, err error) {
	var pipes [6]*os.File // read and write ends of stdin, stdout, stderr
	defer func() {
		if err != nil {
			closeAll(pipes[:]...)
		}
	}()
	for i := 0; i < len(pipes); i += 2 {
		if pipes[i], pipes[i+1], err = os.Pipe(); err != nil {
			return nil, err
		}
	}
	cmd := exec.Command(s.path, s.args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = pipes[0], pipes[3], pipes[5]
	group, err := startInGroup(cmd, s.confine)
	if err != nil {
		return nil, err
	}
	closeAll(pipes[0], pipes[3], pipes[5])

	p := &process{
		stdin:       newAsyncWriter(pipes[1]),
		group:       group,
		outputEnded: make(chan struct{}),
		exited:      make(chan struct{}),
	}
	var pumps sync.WaitGroup
	pumps.Go(func() {
		p.outputErr = filterMessages(stdout, newPacedReader(pipes[2], s.pace), s.maxLine, garbage)
		close(p.outputEnded)
		_ = stdout.Close()
	})
	pumps.Go(func() {
		w := &lineWriter{add: stderr}
		_, _ = io.Copy(w, newPacedReader(pipes[4], s.pace))
		w.close()
	})
	go func() {
		err := cmd.Wait()
		endReading(pipes[2])
		endReading(pipes[4])
		pumps.Wait()
		closeAll(pipes[2], pipes[4])
		p.exit = exitPhrase(cmd, err)
		close(p.exited)
	}()
	return p, nil
}

// endReading makes reads from f end soon.
func endReading(f *os.File) {
	if f.SetReadDeadline(time.Now().Add(drainTime)) != nil { // not on Windows
		_ = f.Close()
	}
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}

func exitPhrase(cmd *exec.Cmd, err error) string {
	if state := cmd.ProcessState; state != nil {
		if code := state.ExitCode(); code >= 0 {
			return fmt.Sprintf("exit code %d", code)
		}
		return state.String() // "signal: killed"
	}
	return err.Error()
}

// stop ends the server and its whole group: it closes its input, then asks,
// then kills, and returns when all of it is gone.
func (p *process) stop() error {
	_ = p.stdin.Close()
	ended := p.exitsWithin(stopGrace)
	p.group.terminate()
	if ended {
		time.Sleep(leftoverGrace)
	} else {
		p.exitsWithin(termGrace)
	}
	p.group.kill()
	if !p.exitsWithin(termGrace) {
		return errors.New("it does not end, not even when killed")
	}
	return nil
}

func (p *process) exitsWithin(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}
