package shell

import (
	"os"
	"strings"
	"time"
)

// tree is the processes of a command (or, for the reaper, of all): those in the
// session or process group of a leader, those whose environment has the mark,
// those with its tag that have no other parent, and the descendants of these.
type tree struct {
	leader int
	more   map[int]bool // further leaders
	mark   string
	tag    tag
	// since is the leader's start in clock ticks after boot: no older process
	// belongs to the tree, so their environments need not be read.
	since uint64
	// daemon is the process that starts commands, -1 once it is gone; what else it
	// starts is its child.
	daemon int
	procs  *processes
}

func newTree(leader *os.Process, mark string, procs *processes) tree {
	t := tree{leader: leader.Pid, mark: mark, tag: tagOf(mark), daemon: os.Getpid(), procs: procs}
	if p, ok := readStat(leader.Pid); ok {
		t.since = p.start
	}
	return t
}

// allTrees is what a daemon that is gone has started whose marks begin with token.
func allTrees(token string) tree {
	t := tag{queue: tagOf(token + ".").queue}
	return tree{mark: token + ".", tag: t, more: map[int]bool{}, daemon: -1, procs: &processes{}}
}

// livesOn says that the daemon, this process's parent, is not gone.
func (t *tree) livesOn() { t.daemon = os.Getppid() }

// ofSession is the tree without what left its session.
func (t tree) ofSession() tree {
	t.mark, t.tag = "\x00", tag{} // no variable holds a NUL
	return t
}

func (t tree) leads(id int) bool { return id > 0 && (id == t.leader || t.more[id]) }

// looks bounds how often the processes are looked at to see that a tree is empty.
const looks = 6

// members lists the living processes of the tree (zombies are not), as they
// were no earlier than at. A look takes a while: a process that forks and ends
// meanwhile is missed with its child. That there are none is believed only of a
// look during which no process ended, or is seen to have just ended.
func (t tree) members(at time.Time) []int {
	for i := range looks {
		pids, ended, dead := t.seen(at)
		if len(pids) > 0 || !ended && (!dead || i > 0) {
			return pids
		}
		at = time.Now()
	}
	return nil
}

// seen lists the members, whether any process ended during the look, and whether
// there is a dead one, of any kind, that is young enough to have been one.
func (t tree) seen(at time.Time) (pids []int, ended, dead bool) {
	t.procs.look(at, func(list []*proc) {
		in := t.among(list)
		for _, p := range list {
			if in[p.pid] && !p.dead {
				pids = append(pids, p.pid)
			}
			dead = dead || p.dead && p.start >= t.since && p.pid != t.leader
		}
		ended = t.procs.ended
	})
	return pids, ended, dead
}

// among tells which processes of a list belong to the tree, dead ones included.
func (t tree) among(list []*proc) (in map[int]bool) {
	byID := make(map[int]*proc, len(list))
	for _, p := range list {
		byID[p.pid] = p
	}
	in = map[int]bool{}
	for _, p := range list {
		t.belongs(p, byID, in)
	}
	return in
}

// stopped names a process of the tree that a signal has stopped (SIGSTOP, or a
// terminal's for one in the background), as it was no earlier than at; "" for none.
func (t tree) stopped(at time.Time) (name string, pid int) {
	t.procs.look(at, func(list []*proc) {
		in := t.among(list)
		for _, p := range list {
			if in[p.pid] && p.stopped {
				pid = p.pid
				return
			}
		}
	})
	if pid == 0 {
		return "", 0
	}
	comm, err := os.ReadFile(procFile(pid, "comm"))
	if err != nil { // it is gone
		return "", 0
	}
	return strings.TrimSpace(string(comm)), pid
}

// belongs decides on a process, its parents first; in remembers.
func (t tree) belongs(p *proc, byID map[int]*proc, in map[int]bool) bool {
	if is, known := in[p.pid]; known {
		return is
	}
	in[p.pid] = false // also ends a loop, should ids have been used again meanwhile
	if p.start < t.since {
		return false
	}
	is := t.leads(p.session) || t.leads(p.group)
	if !is {
		if t.procs.more(p); p.mark != "" {
			is = strings.HasPrefix(p.mark, t.mark)
		} else {
			is = t.tagged(p, byID)
		}
	}
	if parent := byID[p.parent]; !is && parent != nil {
		is = t.belongs(parent, byID, in)
	}
	in[p.pid] = is
	return is
}

// tagged tells whether a process has the tag. One that the daemon has started
// otherwise, at the very moment of a command's start, has it too: its ancestors
// tell, while a command's child without ancestors in the tree has init's.
func (t tree) tagged(p *proc, byID map[int]*proc) bool {
	if t.tag.queue == 0 || p.tag.queue != t.tag.queue || t.tag.signals != 0 && p.tag.signals != t.tag.signals {
		return false
	}
	for range len(byID) {
		if p.parent == t.daemon {
			return false
		}
		if p = byID[p.parent]; p == nil {
			break
		}
	}
	return true
}
