package shell

import (
	"bytes"
	"errors"
	"hash/fnv"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"
)

// A process can clear its environment, leave its session and double-fork, and is
// then nobody's: its parent is init, and nothing names the command it came from.
// Soft resource limits stay with it, through fork and exec and setsid; those of
// all processes can be read without privilege (/proc/PID/limits, proc(5)). So a
// command is started with two limits that nobody else has: the bytes in POSIX
// message queues tell the daemon, the pending signals tell the command. Both are
// lowered by so little, of so much, that no program notices.
//
// Rejected: a subreaper (prctl(2)) finds such a process too, but only if it is the
// parent of all commands and stays alive, so it would have to start and wait for
// them in place of the daemon; control groups and pid namespaces are not there
// for every user.
type tag struct{ queue, signals uint64 } // the soft limits; zero for none

const (
	queueTags  = 1 << 19 // of 819200 bytes by default
	signalTags = 1 << 12 // of tens of thousands
	unlimited  = 1 << 40 // what to count down from
)

// limiting guards the limits of this process: they are set around a start, for a
// child has them from its first moment.
var limiting sync.Mutex

// tagOf is the tag of a mark, "TOKEN.…": that of the daemon is in all marks with
// this token.
func tagOf(mark string) tag {
	var queue, signals unix.Rlimit
	if unix.Prlimit(0, unix.RLIMIT_MSGQUEUE, nil, &queue) != nil || unix.Prlimit(0, unix.RLIMIT_SIGPENDING, nil, &signals) != nil {
		return tag{}
	}
	token, _, _ := strings.Cut(mark, ".")
	t := tag{lowered(queue.Max, token, queueTags), lowered(signals.Max, mark, signalTags)}
	if t.queue == 0 || t.signals == 0 {
		return tag{}
	}
	return t
}

// lowered counts down from a hard limit by 1 to tags-1; 0 when it is too low.
func lowered(hard uint64, of string, tags uint64) uint64 {
	hard = min(hard, unlimited)
	if hard < tags+tags/2 {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(of))
	return hard - 1 - h.Sum64()%(tags-1)
}

// startTagged starts cmd with the limits of its mark. What another goroutine
// starts at that moment has them too: see tree.tagged.
func startTagged(cmd *exec.Cmd, mark string) error {
	limiting.Lock()
	defer limiting.Unlock()
	t := tagOf(mark)
	if t != (tag{}) {
		defer lower(unix.RLIMIT_MSGQUEUE, t.queue)()
		defer lower(unix.RLIMIT_SIGPENDING, t.signals)()
	}
	return cmd.Start()
}

// lower sets a soft limit of this process and returns what restores it.
func lower(resource int, soft uint64) (restore func()) {
	var was unix.Rlimit
	if unix.Prlimit(0, resource, nil, &was) != nil {
		return func() {}
	}
	unix.Prlimit(0, resource, &unix.Rlimit{Cur: soft, Max: was.Max}, nil)
	return func() { unix.Prlimit(0, resource, &was, nil) }
}

// readTag reads the limits of a process; ok is false when it is gone.
func readTag(pid int) (t tag, ok bool) {
	b, err := os.ReadFile(procFile(pid, "limits"))
	if err != nil {
		return tag{}, errors.Is(err, os.ErrPermission)
	}
	return tag{softLimit(b, "Max msgqueue size "), softLimit(b, "Max pending signals ")}, true
}

func softLimit(limits []byte, name string) uint64 {
	_, after, _ := bytes.Cut(limits, []byte(name))
	f := bytes.Fields(after[:min(len(after), 64)])
	if len(f) == 0 {
		return 0
	}
	n, _ := strconv.ParseUint(string(f[0]), 10, 64) // "unlimited" is nobody's tag
	return n
}
