package shell

import (
	"bytes"
	"os"
	"strconv"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// processes are those of the system as they were when last looked at. Many
// trees share one look, or a few hundred of them would keep the machine busy.
type processes struct {
	mu    sync.Mutex
	at    time.Time // when the look began
	ended bool      // a process was gone before all of it was read
	list  []*proc
	marks map[birth]string // marks stay with a process that has cleared its environment
}

// birth tells processes apart though their ids are used again.
type birth struct {
	pid   int
	start uint64
}

type proc struct {
	birth
	parent, group, session int
	dead, stopped          bool

	read bool // the rest is known
	mark string
	tag  tag
}

// look calls see with the processes as they were no earlier than at.
func (ps *processes) look(at time.Time, see func(list []*proc)) {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	if ps.at.Before(at) {
		ps.at, ps.ended = time.Now(), false
		ps.scan()
	}
	see(ps.list)
}

func (ps *processes) scan() {
	ps.list = ps.list[:0]
	dir, err := os.Open("/proc")
	if err != nil {
		return
	}
	names, _ := dir.Readdirnames(-1)
	dir.Close()
	marks := map[birth]string{}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		p, ok := readStat(pid)
		ps.ended = ps.ended || !ok
		if ok && pid != os.Getpid() {
			ps.list = append(ps.list, p)
			if mark := ps.marks[p.birth]; mark != "" {
				p.mark, marks[p.birth] = mark, mark
			}
		}
	}
	ps.marks = marks
}

// more reads the mark and the tag of a process.
func (ps *processes) more(p *proc) {
	if p.read {
		return
	}
	p.read = true
	var ok bool
	p.tag, ok = readTag(p.pid)
	ps.ended = ps.ended || !ok
	if p.mark == "" {
		if p.mark = readMark(p.pid); p.mark != "" {
			ps.marks[p.birth] = p.mark
		}
	}
}

// readMark returns the mark in a process's environment, "" for none or for a
// process of others.
func readMark(pid int) string {
	env, err := os.ReadFile(procFile(pid, "environ"))
	if err != nil {
		return ""
	}
	for kv := range bytes.SplitSeq(env, []byte{0}) {
		if mark, ok := bytes.CutPrefix(kv, []byte(markVar+"=")); ok {
			return string(mark)
		}
	}
	return ""
}

func procFile(pid int, name string) string { return "/proc/" + strconv.Itoa(pid) + "/" + name }

// readStat reads /proc/<pid>/stat (proc(5)): the name in brackets may hold
// anything, so the fields are counted from its last bracket. It is read without
// the comforts of package os, as it is for all processes after each command.
func readStat(pid int) (*proc, bool) {
	fd, err := unix.Open(procFile(pid, "stat"), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, false
	}
	var room [1024]byte // about 50 numbers and a name
	n, err := unix.Read(fd, room[:])
	unix.Close(fd)
	if err != nil || n <= 0 {
		return nil, false
	}
	b := room[:n]
	var f [20][]byte
	fields := 0
	for word := range bytes.FieldsSeq(b[bytes.LastIndexByte(b, ')')+1:]) {
		if f[fields] = word; fields == len(f)-1 {
			break
		}
		fields++
	}
	if fields < len(f)-1 {
		return nil, false
	}
	num := func(i int) int { n, _ := strconv.Atoi(string(f[i])); return n }
	start, _ := strconv.ParseUint(string(f[19]), 10, 64)
	state := f[0][0]
	return &proc{birth: birth{pid, start}, parent: num(1), group: num(2), session: num(3), dead: state == 'Z' || state == 'X', stopped: state == 'T'}, true
}
