package shell

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// settled is how long a command must print nothing until a progress display that
// it goes on with is taken for another one.
const settled = time.Second

// logLag bounds how long the log of a command in the background stays behind what
// the command goes on printing, unless that is a progress display.
const logLag = 3 * time.Second

// sink is where the bytes of a command go: decoded and resolved to text, then
// to the collector, the log file and the live updates.
type sink struct {
	log *slog.Logger

	mu     sync.Mutex
	decode decoder
	plain  *plain
	keep   collector
	given  string // what of the unended line was given with a text before
	file   logFile
	live   live
	last   time.Time // when something came
	synced time.Time // when what came was made final, or the display found to be at work
	warned bool
}

func newSink(o Options, output func(string)) *sink {
	return &sink{
		log: o.Log, plain: newPlain(),
		keep: collectorOf(o),
		file: logFile{dir: o.LogDir, limit: o.LogBytes},
		live: live{emit: output},
		last: time.Now(),
	}
}

// Write never fails: a log file that cannot be written is reported once and
// done without.
func (s *sink) Write(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = time.Now()
	s.takeLocked(s.plain.Write(s.decode.Write(b)))
	return len(b), nil
}

// takeLocked takes text that became final, and what is new to see.
func (s *sink) takeLocked(text, seen []byte) {
	s.file.write(text)
	if rest, anew := after(text, &s.given); anew {
		s.keep.add(newline)
		s.keep.add(rest)
	} else {
		s.keep.add(rest)
	}
	if s.keep.lossy() {
		s.file.open()
	}
	if s.live.emit != nil {
		s.live.add(seen, s.plain.Partial())
	}
	if s.file.err != nil && !s.warned {
		s.warned = true
		s.log.Warn("the log of a command cannot be written", "dir", s.file.dir, "err", s.file.err)
	}
}

// after is what follows in text on what was given of its first line. With anew
// the line is another than what was given of it.
func after(text []byte, given *string) (rest []byte, anew bool) {
	if len(text) == 0 || *given == "" {
		return text, false
	}
	was := *given
	*given = ""
	if strings.HasPrefix(string(text[:min(len(text), len(was))]), was) {
		return text[len(was):], false
	}
	return text, true
}

// output is what a command printed.
type output struct {
	text    string
	omitted int
	log     string
	// told is how many bytes of the log were given with this and before; part was
	// given of the line behind them.
	told int64
	part string
}

// finish ends the live updates and gives the whole text; nothing comes any more.
func (s *sink) finish() output {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endLocked()
	return s.resultLocked("")
}

// handOver gives the text so far. What comes later is given by fresh, goes to
// the log file, which is made if there is none, and to live, if set.
func (s *sink) handOver(live func(string)) output {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.file.open()
	s.live.redirect(live)
	s.synced = time.Now()
	return s.freshLocked()
}

// fresh gives what came since handOver or the last call, the unended line too.
func (s *sink) fresh() output {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.freshLocked()
}

func (s *sink) freshLocked() output {
	s.takeLocked(s.plain.Settle())
	line := s.plain.Partial()
	unended, cut := strings.CutPrefix(line, s.given)
	if !cut {
		unended = "" // rewritten: it is given anew once it ends
	}
	o := s.resultLocked(unended)
	s.keep = collector{maxLines: s.keep.maxLines, maxBytes: s.keep.maxBytes}
	if cut {
		s.given = line
	}
	o.told, o.part = s.file.n, s.given
	return o
}

func (s *sink) resultLocked(unended string) output {
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
	o.text = s.keep.text(unended, full)
	return o
}

// settle writes to the log file what was printed a while ago, for whoever reads
// it while the command is in the background, or after the daemon was killed.
func (s *sink) settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.last) < settled {
		if time.Since(s.synced) < logLag {
			return
		}
		if s.synced = time.Now(); s.plain.Rewrites() {
			return
		}
	}
	s.takeLocked(s.plain.Settle())
}

// still gives the line that is not ended, and since when nothing came.
func (s *sink) still() (line string, since time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.plain.Partial(), s.last
}

func (s *sink) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endLocked()
	s.file.close()
	s.plain, s.live.pending = newPlain(), nil // what was printed is kept until it is told, its room is not
}

func (s *sink) endLocked() {
	s.takeLocked(s.plain.Write(s.decode.Flush()))
	s.takeLocked(s.plain.Flush())
	s.live.redirect(nil)
}
