package main

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// turn is a task of two requests, as in a terminal: the model reads a file, and
// is content.
const turn = `
reply
  conversation CONVERSATION
  text I look at it.
  call read_file {"path":"a.txt"}
reply
  conversation CONVERSATION
  expect-last contains alpha
  call attempt_completion {"result":"It says alpha."}
`

// numbered gives each run of a script a conversation of its own.
func numbered(script string, run int) string {
	return strings.ReplaceAll(script, "CONVERSATION", fmt.Sprintf("run%d", run))
}

// turns measures clined run as a whole process.
func turns(runs int) func(s *stage) []figure {
	return func(s *stage) []figure {
		model, _, _ := s.model("")
		s.write(filepath.Join(s.ws, "a.txt"), "alpha\n")
		wall := figure{name: "a headless turn of two requests", unit: "ms", goal: 55, profile: profileOf("Turn", "cpu")}
		peak := figure{name: "its peak of resident memory", unit: "MB", goal: 50, profile: profileOf("Turn", "mem"), why: "the system does not tell"}
		var bare []float64
		for i := range runs {
			p := s.serve(s.probe)
			p.end()
			bare = append(bare, ms(p.took))
			model.Add(numbered(turn, i))
			r := s.run("run", "--cwd", s.ws, "What does a.txt say?")
			wall.samples = append(wall.samples, float64(r.WallNs)/1e6)
			if r.PeakBytes > 0 {
				peak.samples = append(peak.samples, float64(r.PeakBytes)/1e6)
			}
		}
		wall.unitOfStart = quantile(bare, 0.5)
		return []figure{wall, peak}
	}
}

// report is what the probe writes.
type report struct {
	WallNs, PeakBytes int64
	ExitCode          int
	Output            string
}

// run runs clined to its end, under the probe.
func (s *stage) run(args ...string) (r report) {
	cmd := exec.CommandContext(s.ctx, s.probe, append([]string{s.binary}, args...)...)
	cmd.Env = s.environ()
	text, err := cmd.Output()
	s.Must("the probe", err)
	s.Must("the probe's words", json.Unmarshal(text, &r))
	if r.ExitCode != 0 {
		s.Fatalf("clined %s ends with code %d: %s", strings.Join(args, " "), r.ExitCode, r.Output)
	}
	return r
}
