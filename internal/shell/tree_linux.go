package shell

import (
	"bytes"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// tree is the processes of a command (or, for the reaper, of all): those in the
// session or process group of a leader, those whose environment has the mark,
// and the descendants of these.
type tree struct {
	leader int
	more   map[int]bool // further leaders
	mark   string
	// since is the leader's start in clock ticks after boot: no older process
	// belongs to the tree, so their environments need not be read.
	since uint64
}

func newTree(leader *os.Process, mark string) tree {
	t := tree{leader: leader.Pid, mark: mark}
	if p, ok := readStat(leader.Pid); ok {
		t.since = p.start
	}
	return t
}

func (t tree) leads(id int) bool { return id > 0 && (id == t.leader || t.more[id]) }

// members lists the living processes of the tree (zombies are not).
func (t tree) members() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	names, _ := dir.Readdirnames(-1)
	dir.Close()
	in := map[int]bool{}
	var rest []proc
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		p, ok := readStat(pid)
		switch {
		case !ok || p.start < t.since || p.pid == os.Getpid():
		case t.leads(p.session) || t.leads(p.group) || t.marked(pid):
			in[pid] = !p.dead
		default:
			rest = append(rest, p)
		}
	}
	for grown := true; grown; {
		grown = false
		for _, p := range rest {
			if _, seen := in[p.pid]; seen {
				continue
			}
			if _, child := in[p.parent]; child {
				in[p.pid], grown = !p.dead, true
			}
		}
	}
	var pids []int
	for pid, alive := range in {
		if alive {
			pids = append(pids, pid)
		}
	}
	return pids
}

func (t tree) marked(pid int) bool {
	env, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return false // not ours, or gone
	}
	want := []byte(markVar + "=" + t.mark)
	return bytes.HasPrefix(env, want) || bytes.Contains(env, append([]byte{0}, want...))
}

type proc struct {
	pid, parent, group, session int
	start                       uint64
	dead                        bool
}

// readStat reads /proc/<pid>/stat (proc(5)): the name in brackets may hold
// anything, so the fields are counted from its last bracket.
func readStat(pid int) (proc, bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return proc{}, false
	}
	_, after, ok := strings.Cut(string(b[max(0, bytes.LastIndexByte(b, ')')):]), ") ")
	f := strings.Fields(after)
	if !ok || len(f) < 20 {
		return proc{}, false
	}
	num := func(i int) int { n, _ := strconv.Atoi(f[i]); return n }
	start, _ := strconv.ParseUint(f[19], 10, 64)
	return proc{pid: pid, parent: num(1), group: num(2), session: num(3), start: start, dead: f[0] == "Z" || f[0] == "X"}, true
}

// readsTerminal tells whether a member of the tree is blocked in a read of its
// terminal.
func readsTerminal(t tree) bool {
	for _, pid := range t.members() {
		dir := "/proc/" + strconv.Itoa(pid)
		if wchan, err := os.ReadFile(dir + "/wchan"); err == nil && bytes.Contains(wchan, []byte("n_tty_read")) {
			return true
		}
		call, _ := os.ReadFile(dir + "/syscall") // "NUMBER 0xFD …" of a call that blocks
		f := strings.Fields(string(call))
		if len(f) < 2 || f[0] != strconv.Itoa(unix.SYS_READ) {
			continue
		}
		fd, err := strconv.ParseInt(strings.TrimPrefix(f[1], "0x"), 16, 32)
		if err != nil {
			continue
		}
		if to, _ := os.Readlink(dir + "/fd/" + strconv.Itoa(int(fd))); strings.HasPrefix(to, "/dev/pts/") || to == "/dev/tty" {
			return true
		}
	}
	return false
}
