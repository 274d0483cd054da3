package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// idleAfter is how long after initialize the memory is looked at.
const idleAfter = 2 * time.Second

// server is a process that has answered its first message.
type server struct {
	cmd *exec.Cmd
	in  io.Closer
	// took is the time from before its start to its answer.
	took time.Duration
}

// serve starts a program and sends initialize.
func (s *stage) serve(program string) *server {
	cmd := exec.CommandContext(s.ctx, program)
	cmd.Env = s.environ()
	in, err := cmd.StdinPipe()
	s.Must("a pipe", err)
	out, err := cmd.StdoutPipe()
	s.Must("a pipe", err)
	request := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":"file://%s","capabilities":{}}}`, filepath.ToSlash(s.ws))
	start := time.Now()
	s.Must("starting "+program, cmd.Start())
	_, err = io.WriteString(in, request+"\n")
	s.Must("sending initialize", err)
	line, err := bufio.NewReader(out).ReadString('\n')
	took := time.Since(start)
	if err != nil || !strings.Contains(line, `"result"`) {
		s.Fatalf("%s answers initialize with %q, %v", program, line, err)
	}
	return &server{cmd, in, took}
}

// end hangs up and waits. What the exit code says of that is not looked at.
func (p *server) end() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}

// starts measures the time to the answer of initialize.
func starts(runs int) func(s *stage) []figure {
	return func(s *stage) []figure {
		var bare, clined []float64
		for range runs {
			// A map, so that neither is always the first.
			for program, list := range map[string]*[]float64{s.probe: &bare, s.binary: &clined} {
				p := s.serve(program)
				p.end()
				*list = append(*list, ms(p.took))
			}
		}
		return []figure{
			{name: "start to the answer, a bare Go program", samples: bare, unit: "ms"},
			{name: "start to the answer of initialize", samples: clined, unit: "ms", goal: 14, unitOfStart: quantile(bare, 0.5),
				profile: "GODEBUG=inittrace=1 bin/clined </dev/null 2>&1 | sort -rnk5 | head; " + profileOf("Initialize", "cpu")},
		}
	}
}

// idle measures the memory of a daemon that has nothing to do: with what is
// mapped of the program's file, and what is there for no other process. A copy of
// the file, as make install makes one, is shown beside it: of what the linker has
// just written the kernel may keep large pieces, which count as a whole where a
// page of them is used.
func idle(runs int) func(s *stage) []figure {
	return func(s *stage) []figure {
		all := figure{name: "resident memory, idle", unit: "MB", goal: 30, profile: "go build -o x ./cmd/clined && go tool nm -size -sort size x | head -50"}
		own := figure{name: "of it the process's own", unit: "MB", goal: 5, profile: profileOf("Initialize", "mem")}
		copied := figure{name: "the same of a copy of the file", unit: "MB"}
		if _, _, err := resident(os.Getpid()); err != nil {
			all.why, own.why, copied.why = "there is no /proc", "there is no /proc", "there is no /proc"
			return []figure{all, own, copied}
		}
		installed := filepath.Join(s.home, "clined")
		s.Must("copying the program", exec.CommandContext(s.ctx, "cp", s.binary, installed).Run())
		for _, m := range s.rest(runs, s.binary) {
			all.samples = append(all.samples, m.all)
			own.samples = append(own.samples, m.all-m.mapped)
		}
		for _, m := range s.rest(runs, installed) {
			copied.samples = append(copied.samples, m.all)
		}
		return []figure{all, own, copied}
	}
}

// memory is what a process has resident, in MB, and what of it is mapped from
// files.
type memory struct{ all, mapped float64 }

// rest starts a program several times and looks at the memory of all of them
// once they rest.
func (s *stage) rest(runs int, program string) (list []memory) {
	var servers []*server
	for range runs {
		p := s.serve(program)
		defer p.end()
		servers = append(servers, p)
	}
	<-time.After(idleAfter)
	for _, p := range servers {
		bytes, mapped, err := resident(p.cmd.Process.Pid)
		s.Must("looking at the memory", err)
		list = append(list, memory{float64(bytes) / 1e6, float64(mapped) / 1e6})
	}
	return list
}

// resident is the memory of a process in bytes, and what of it is mapped from
// files, as proc(5) tells of /proc/PID/statm.
func resident(pid int) (all, shared int64, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, 0, err
	}
	var size, pages, mapped int64
	if _, err := fmt.Sscan(string(text), &size, &pages, &mapped); err != nil {
		return 0, 0, err
	}
	page := int64(os.Getpagesize())
	return pages * page, mapped * page, nil
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
