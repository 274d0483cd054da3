package approval

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"clined/internal/tools"
)

// A fence is a folder in which the only programs are harmless ones and the
// canary, and the shells that are there to run lines in it.
type fence struct {
	dir, ran string
	shells   []string
}

func newFence(t testing.TB) *fence {
	f := &fence{dir: t.TempDir()}
	f.ran = filepath.Join(f.dir, "ran")
	for _, name := range []string{"ls", "head", "cat", canary} {
		script := "exit 0"
		if name == canary {
			script = ": >'" + f.ran + "'"
		}
		if err := os.WriteFile(filepath.Join(f.dir, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"bash", "dash", "zsh", "ksh", "mksh", "fish", "busybox"} {
		if path, err := exec.LookPath(name); err == nil {
			f.shells = append(f.shells, path)
		}
	}
	return f
}

// run runs a line in every shell and returns the shell in which the canary ran.
func (f *fence) run(t testing.TB, line string) (shell string) {
	for _, sh := range f.shells {
		args := []string{"-c", line}
		if filepath.Base(sh) == "busybox" {
			args = append([]string{"sh"}, args...)
		}
		cmd := exec.CommandContext(t.Context(), sh, args...)
		cmd.Dir, cmd.Env = t.TempDir(), []string{"PATH=" + f.dir, "HOME=" + f.dir}
		cmd.Run() // its exit code does not matter
		if _, err := os.Stat(f.ran); err == nil {
			os.Remove(f.ran)
			return sh
		}
	}
	return ""
}

// soup are pieces of shell text; what they make together is mostly nonsense.
var soup = strings.Split(`ls|echo|head|cat|canary-xyz|canary-xyz|canary-xyz| | | | |'|'|"|"|\|$|$(|(|)|)|{|}|;|&|&&|#|~|=|[|]|*|?|!|-|--|<|>|>/dev/null|2>&1|&>/dev/null|`+
	"`|`|\n|\\\n|\t|<<E\n|\nE\n|<<<|${x:-|${|}|$x|$((|))|<(|=(|@(|a|x|1|,|:|+|%|^|.|/|if |then |fi|case |in |esac|for |do |done|function |eval |and |not |begin |end", "|")

func anyLine(rng *rand.Rand) string {
	var b strings.Builder
	for range 2 + rng.IntN(9) {
		b.WriteString(soup[rng.IntN(len(soup))])
	}
	b.WriteString(pick(rng, []string{"", "", canary, " " + canary}))
	return b.String()
}

// What the policy allows among pieces of shell text thrown together never runs
// the canary in a real shell.
func TestRealShells(t *testing.T) {
	f := newFence(t)
	if len(f.shells) == 0 {
		t.Fatal("there is no shell")
	}
	rng := rand.New(rand.NewPCG(11, 12))
	p := Policy{Settings: Settings{Allow: written(t, "ls", "echo", "head", "cat")}}
	tried := map[string]bool{}
	for n := 0; n < 200_000 && len(tried) < 60; n++ {
		line := anyLine(rng)
		if pick(rng, []bool{true, false}) {
			line = fmt.Sprintf(pick(rng, wraps), line)
		}
		if tried[line] || !strings.Contains(line, canary) || p.Judge(command(line), tools.Act).Verdict != Allow {
			continue
		}
		tried[line] = true
		if sh := f.run(t, line); sh != "" {
			t.Errorf("allowed, and %s runs the canary: %q", sh, line)
		}
	}
	if len(tried) < 60 {
		t.Errorf("only %d lines were allowed", len(tried))
	}
	// The fence can tell.
	for _, line := range []string{canary, "ls; " + canary, "echo $(" + canary + ")"} {
		if f.run(t, line) == "" {
			t.Errorf("%q did not run the canary", line)
		}
	}
}

// Lines made of allowed programs, harmless redirections, pipes and lists are
// never asked about.
func TestHarmlessIsAllowed(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	p := tablePolicy(t)
	simple := func() string {
		s := pick(rng, []string{"ls -la", "echo 'a; b'", `echo "x > y"`, "cat a.txt", "head -3", "git status", "git log -3", "go test ./...", "grep -n x", "find . -name '*.go'", "sed -n '1,5p'", "awk '{print $2}'", "make test", "true"})
		for range rng.IntN(3) {
			s += pick(rng, []string{" 2>&1", " >/dev/null", " 2>/dev/null", " 2> /dev/null", " </dev/null", " >&2", " 2>&-", " &>/dev/null"})
		}
		return s
	}
	for range 1_500 {
		line := simple()
		for range rng.IntN(5) {
			line += pick(rng, []string{" | ", " && ", "; ", "\n", " || ", "|", ";", "&&", " |\n", " \\\n| "}) + simple()
		}
		line = fmt.Sprintf(pick(rng, []string{"%s", "%s", "(%s)", "{ %s; }", "! %s", "%s # done", " %s\n"}), line)
		if j := p.Judge(command(line), tools.Act); j.Verdict != Allow && !pipesIntoMake(line) {
			t.Fatalf("%q: %s %s", line, j.Verdict, j.Reason)
		}
	}
}

// pipesIntoMake tells of lines in which make has an input: what reads code from
// a pipe is more than its words.
func pipesIntoMake(line string) bool {
	before, _, ok := strings.Cut(line, "make test")
	return ok && strings.Contains(strings.ReplaceAll(before, "||", ""), "|") || strings.Count(line, "make test") > 1
}
