package shell

import (
	"fmt"
	"log/slog"
	"sync"
)

// sink is where the bytes of a command go: resolved to text, then to the
// collector, the log file and the live updates.
type sink struct {
	log *slog.Logger

	mu     sync.Mutex
	plain  *plain
	keep   collector
	file   logFile
	live   live
	warned bool
}

func newSink(o Options, output func(string)) *sink {
	return &sink{
		log: o.Log, plain: newPlain(),
		keep: collector{maxLines: max(1, o.Lines/2), maxBytes: max(1, o.Bytes/2)},
		file: logFile{dir: o.LogDir, limit: o.LogBytes},
		live: live{emit: output},
	}
}

// Write never fails: a log file that cannot be written is reported once and
// done without.
func (s *sink) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takeLocked(s.plain.Write(b))
	return len(b), nil
}

func (s *sink) takeLocked(text []byte) {
	s.keep.add(text)
	s.file.write(text)
	if s.keep.lossy() {
		s.file.open()
	}
	if s.live.emit != nil {
		s.live.add(text, s.plain.Partial())
	}
	if s.file.err != nil && !s.warned {
		s.warned = true
		s.log.Warn("the log of a command cannot be written", "dir", s.file.dir, "err", s.file.err)
	}
}

// detach ends the live updates. With background, what comes later goes to the
// log file, which is made if there is none.
func (s *sink) detach(background bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if background {
		s.file.open()
	} else {
		s.takeLocked(s.plain.Flush())
	}
	s.live.close()
}

// output is what a command printed so far.
type output struct {
	text    string
	omitted int
	log     string
}

func (s *sink) result() output {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := output{omitted: s.keep.omitted}
	if s.file.f != nil {
		o.log = s.file.f.Name()
	}
	full := ""
	switch {
	case !s.keep.lossy() || o.log == "":
	case s.file.full():
		full = fmt.Sprintf(", the first %d bytes of the output: %s", s.file.limit, o.log)
	default:
		full = ", full output: " + o.log
	}
	o.text = s.keep.text(s.plain.Partial(), full)
	return o
}

func (s *sink) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.takeLocked(s.plain.Flush())
	s.live.close()
	s.file.close()
}
