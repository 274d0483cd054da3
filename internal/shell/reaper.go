package shell

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// tellWait bounds a write to the child; the pipe holds thousands of messages.
const tellWait = time.Second

// Reaper is a small child process that outlives the daemon for a moment: it
// holds the read end of a pipe, and when the daemon ends in any way, SIGKILL
// included, it ends the process trees it was told of. One serves a daemon. It
// is started before the first command.
//
// A command that was just forked cannot escape: until its exec it holds the
// pipe open, and after that it carries the mark and the tag. Those find what has
// left its session, cleared its environment and lost its parents, too.
type Reaper struct {
	argv  []string
	token string
	log   *slog.Logger

	mu      sync.Mutex
	leaders map[int]bool
	child   *os.Process   // the newest one started, nil before
	pipe    *os.File      // to the child, nil when it cannot be told any more
	gone    chan struct{} // closed when the child has ended
	closed  bool
}

// NewReaper returns a Reaper whose child is argv, which must come to call
// ReaperMain with its standard input: the daemon's own executable with a hidden
// argument. It starts nothing.
func NewReaper(argv []string, log *slog.Logger) *Reaper {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Reaper{argv: argv, token: newToken(), log: log, leaders: map[int]bool{}}
}

// Env returns the variable that marks a process, and all it starts, as to be
// ended with the daemon. Commands have it already.
func (r *Reaper) Env() string { return markVar + "=" + r.token + ".0." }

// ready starts the child, if there is none.
func (r *Reaper) ready() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.pipe == nil && !r.closed && len(r.argv) > 0 && reaped {
		r.beginLocked()
	}
}

// Add tells of a process that leads its own session or process group.
func (r *Reaper) Add(leader int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.leaders[leader] = true
	r.tellLocked(fmt.Sprintf("+%d\n", leader))
}

// Remove tells that nothing is left of it: its number may soon be another's.
func (r *Reaper) Remove(leader int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.leaders, leader)
	r.tellLocked(fmt.Sprintf("-%d\n", leader))
}

// inOrder is the last line for a child whose daemon lives on.
const inOrder = "."

// Close ends the child after it has ended what is left, and waits for it.
func (r *Reaper) Close() {
	r.mu.Lock()
	r.tellLocked(inOrder + "\n")
	r.closed = true
	r.dropLocked()
	gone := r.gone
	r.mu.Unlock()
	if gone != nil {
		<-gone
	}
}

// tellLocked writes to the child. One that has died is replaced and told of
// everything anew.
func (r *Reaper) tellLocked(line string) {
	if r.closed || len(r.argv) == 0 {
		return
	}
	if r.pipe != nil {
		r.pipe.SetWriteDeadline(time.Now().Add(tellWait))
		if _, err := r.pipe.WriteString(line); err == nil {
			return
		}
		r.child.Kill() // should it only be stopped: it must not end live commands later
		r.dropLocked()
	}
	if len(r.leaders) > 0 && reaped {
		r.beginLocked()
	}
}

// beginLocked starts a child and tells it of everything.
func (r *Reaper) beginLocked() {
	if err := r.startLocked(); err != nil {
		r.log.Warn("the reaper cannot be started: commands may outlive a killed daemon", "err", err)
		return
	}
	var all strings.Builder
	fmt.Fprintln(&all, r.token)
	for leader := range r.leaders {
		fmt.Fprintf(&all, "+%d\n", leader)
	}
	r.pipe.SetWriteDeadline(time.Now().Add(tellWait))
	if _, err := r.pipe.WriteString(all.String()); err != nil {
		r.dropLocked()
	}
}

func (r *Reaper) dropLocked() {
	if r.pipe != nil {
		r.pipe.Close()
		r.pipe = nil
	}
}

func (r *Reaper) startLocked() error {
	in, out, err := os.Pipe()
	if err != nil {
		return err
	}
	cmd := exec.Command(r.argv[0], r.argv[1:]...)
	cmd.Stdin, cmd.Dir, cmd.Env = in, string(filepath.Separator), []string{}
	newSession(cmd) // what ends the daemon's group must not end the reaper
	err = cmd.Start()
	in.Close()
	if err != nil {
		out.Close()
		return err
	}
	gone := make(chan struct{})
	r.child, r.pipe, r.gone = cmd.Process, out, gone
	go func() {
		cmd.Wait()
		close(gone)
	}()
	return nil
}

// ReaperMain is the child: it reads from in until its end, ends the trees that
// are left, and returns the exit code. It must be called before anything else
// of the daemon is set up.
func ReaperMain(in io.Reader) int {
	signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP) // only the pipe's end counts
	lines := bufio.NewScanner(in)
	if !lines.Scan() || lines.Text() == "" {
		return 2
	}
	all := allTrees(lines.Text())
	for lines.Scan() {
		id, err := strconv.Atoi(lines.Text())
		switch {
		case lines.Text() == inOrder:
			all.livesOn()
		case err != nil || id == 0:
		case id > 0:
			all.more[id] = true
		default:
			delete(all.more, -id)
		}
	}
	if !all.end(grace) {
		return 1
	}
	return 0
}
