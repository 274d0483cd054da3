package shell

import (
	"fmt"
	"os"
)

// logHold is how much a command may print before its log file is made; what
// stays below and is shown whole never touches the disk.
const logHold = 64 << 10

// logFile keeps the whole text of a command on disk, up to a cap. The file is
// made when it is first needed.
type logFile struct {
	dir   string
	limit int64
	held  []byte
	f     *os.File
	n     int64
	err   error // the first failure; nothing is written after it
}

func (l *logFile) write(b []byte) {
	if l.dir == "" || l.err != nil {
		return
	}
	if l.f == nil {
		l.held = append(l.held, b...)
		if len(l.held) > logHold {
			l.open()
		}
		return
	}
	l.put(b)
}

// open makes the file and returns its path, "" when there is none.
func (l *logFile) open() string {
	if l.dir == "" || l.err != nil {
		return ""
	}
	if l.f != nil {
		return l.f.Name()
	}
	if l.err = os.MkdirAll(l.dir, 0o700); l.err == nil {
		l.f, l.err = os.CreateTemp(l.dir, "command-*.log") // 0600
	}
	if l.err != nil {
		return ""
	}
	l.put(l.held)
	l.held = nil
	return l.f.Name()
}

func (l *logFile) put(b []byte) {
	room := l.limit - l.n
	if room <= 0 {
		return
	}
	b = b[:min(int64(len(b)), room)]
	n, err := l.f.Write(b)
	l.n += int64(n)
	l.err = err
	if err == nil && l.n == l.limit {
		fmt.Fprintf(l.f, "\n[the log ends here: it is limited to %d bytes]\n", l.limit)
	}
}

// full tells whether the cap cut something off.
func (l *logFile) full() bool { return l.n >= l.limit }

func (l *logFile) close() {
	if l.f != nil {
		l.f.Close()
	}
}
