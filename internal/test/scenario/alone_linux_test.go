package scenario_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"clined/internal/daemon"
	"clined/internal/event"
	"clined/internal/test/binary"
	"clined/internal/test/fakellm"
	"clined/internal/test/scenario"
)

// alone is a workspace in which the binary runs without anybody to ask.
type alone struct {
	*testing.T
	setup scenario.Setup
	ws    string
	model *fakellm.Server
}

func newAlone(t *testing.T, model, settings string) *alone {
	t.Helper()
	dir := t.TempDir()
	a := &alone{T: t, setup: scenario.Setup{Dir: dir, Home: filepath.Join(dir, "home")}, ws: filepath.Join(dir, "ws"), model: fakellm.Start(t, model)}
	for path, text := range map[string]string{
		filepath.Join(a.setup.Home, "settings.json"): settingsText(a.model, settings),
		filepath.Join(a.ws, "a.txt"):                 "alpha\n",
	} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// clined runs the binary in the workspace; its input is at its end.
func (a *alone) clined(args ...string) (out string, code int) {
	a.Helper()
	cmd := exec.CommandContext(a.Context(), binary.Path(a), args...)
	cmd.Dir, cmd.Env = a.ws, environ(a.setup)
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	if err := cmd.Run(); cmd.ProcessState == nil {
		a.Fatal(err)
	}
	return both.String(), cmd.ProcessState.ExitCode()
}

func (a *alone) says(out string, parts ...string) {
	a.Helper()
	for _, p := range parts {
		if !strings.Contains(out, p) {
			a.Errorf("%q is not in:\n%s", p, out)
		}
	}
}

// Nobody is there to let a command out of the sandbox: its first result stands,
// and the question waits for who goes on with the task. What was decided is shown
// by clined rules log.
func TestNobodyLetsACommandOut(t *testing.T) {
	if testing.Short() {
		t.Logf("this needs the real binary")
		return
	}
	outside := scenario.Outside(t)
	a := newAlone(t, `
reply
  call execute_command {"command":"echo begun; touch `+outside+`/made"}
`, `"autoApprove": {"command": true}, "permissions": {"deny": ["ls"]}`)
	out, code := a.clined("run", "Write it.")
	if code != 3 {
		t.Errorf("exit code %d: %s", code, out)
	}
	a.says(out, "outside the sandbox", "--yes")
	if strings.Contains(out, "--auto") {
		t.Errorf("it advises what does not help: %s", out)
	}
	if _, err := os.Stat(filepath.Join(outside, "made")); err == nil {
		t.Error("it was written")
	}
	out, code = a.clined("rules", "log")
	if code != 0 {
		t.Errorf("exit code %d", code)
	}
	a.says(out, "allowed    Run `echo begun", "by autoApprove.command")

	// --yes is a person's word for whatever asks, and never one against a deny.
	a.model.Add(`
reply
  conversation yes
  call execute_command {"command":"touch ` + outside + `/made"}
reply
  conversation yes
  expect-last contains had it run again without
  call execute_command {"command":"ls"}
reply
  conversation yes
  expect-last contains refused
  call attempt_completion {"result":"Written."}
`)
	if out, code = a.clined("run", "--yes", "Write it."); code != 0 {
		t.Errorf("exit code %d: %s", code, out)
	}
	if _, err := os.Stat(filepath.Join(outside, "made")); err != nil {
		t.Error(err)
	}
	out, _ = a.clined("rules", "log", "--json", "-n", "3")
	a.says(out, `"title":"Run `+"`touch "+outside, `"unsandboxed":true`, `"verdict":"deny"`, "permissions.deny `ls`")
	if lines := strings.Count(out, "\n"); lines != 3 {
		t.Errorf("%d lines: %s", lines, out)
	}
}

// A tool that a person runs asks that person, and nobody when there is none.
func TestToolAlone(t *testing.T) {
	if testing.Short() {
		t.Logf("this needs the real binary")
		return
	}
	a := newAlone(t, "", "")
	out, code := a.clined("tool", "write_to_file", `{"path":"b.txt","content":"b\n"}`)
	if _, err := os.Stat(filepath.Join(a.ws, "b.txt")); code != 3 || err == nil {
		t.Errorf("exit code %d, %v: %s", code, err, out)
	}
	out, _ = a.clined("rules", "log")
	a.says(out, "undecided  Create b.txt", "nobody was there", "Editing files asks first")
}

// Rules that were stored in an editor are listed and removed in the terminal.
func TestRulesInTheTerminal(t *testing.T) {
	if testing.Short() {
		t.Logf("this needs the real binary")
		return
	}
	d := drive(t, startChild, setting{settings: `"autoApprove": {}`, model: `
reply
  call execute_command {"command":"wc -l a.txt"}
reply
  call attempt_completion {"result":"Counted."}
reply
  call execute_command {"command":"wc -c a.txt"}
reply
  call attempt_completion {"result":"Counted."}
`})
	turn := d.prompt("Count.")
	d.decide("allow_always_workspace")
	d.end(turn)
	a := &alone{T: t, ws: d.ws, setup: scenario.Setup{Home: d.home}}
	out, code := a.clined("rules")
	if code != 0 {
		t.Errorf("exit code %d: %s", code, out)
	}
	a.says(out, "1  allow", "commands that start with `wc`", d.ws+", since ")
	if out, code = a.clined("policy", "explain", "--", "wc -w a.txt"); code != 0 {
		t.Errorf("explained as %d: %s", code, out)
	}
	if out, code = a.clined("rules", "remove", "1"); code != 0 {
		t.Errorf("exit code %d: %s", code, out)
	}
	if out, code = a.clined("policy", "explain", "--", "wc -w a.txt"); code != 3 {
		t.Errorf("explained as %d: %s", code, out)
	}
	// The daemon that runs goes by it at once.
	turn = d.prompt("Count again.")
	d.decide("allow_once")
	if end := d.end(turn); end.StopReason != event.Completed {
		t.Errorf("the turn ended with %+v", end)
	}
}

// A sandbox that is required and cannot be made refuses commands; one that is not
// lets them run, and the card says so.
func TestSandboxThatCannotBeMade(t *testing.T) {
	const model = `
reply
  call execute_command {"command":"touch made"}
reply
  call attempt_completion {"result":"Done."}
`
	says := map[string]string{"required": "the command will be refused", "auto": "none on this system", "off": ""}
	for mode, made := range map[string]bool{"required": false, "auto": true, "off": true} {
		for name, start := range map[string]scenario.Start{"in process": startWithoutProgram, "binary": startRemoved} {
			if name == "binary" && testing.Short() {
				continue
			}
			t.Run(mode+" "+name, func(t *testing.T) {
				t.Parallel()
				d := drive(t, start, setting{settings: `"sandbox": {"mode": "` + mode + `"}`, model: model})
				turn := d.prompt("Go.")
				a, err := d.editor.NextApproval(d.ctx)
				if err != nil {
					t.Fatal(err)
				}
				if held := a.Subject.Sandbox; !strings.Contains(held, says[mode]) || (held == "") != (says[mode] == "") {
					t.Errorf("the card says %q", held)
				}
				d.decide("allow_once")
				d.end(turn)
				if _, err := os.Stat(filepath.Join(d.ws, "made")); (err == nil) != made {
					t.Errorf("made: %v", err)
				}
				last := d.model.Requests()[1].Last().Text
				if refused := strings.Contains(last, "The command was not run: ") && strings.Contains(last, "the sandbox is required"); refused == made {
					t.Errorf("the model was told %s", last)
				}
			})
		}
	}
}

// startWithoutProgram starts a daemon that cannot start itself.
func startWithoutProgram(t testing.TB, s scenario.Setup) scenario.Daemon {
	return startOptions(t, s, daemon.Options{Environ: environ(s), LogTo: s.Log})
}

// startRemoved starts the real binary and then removes it.
func startRemoved(t testing.TB, s scenario.Setup) scenario.Daemon {
	t.Helper()
	program := filepath.Join(s.Dir, "clined")
	if err := os.Link(binary.Path(t), program); err != nil {
		t.Fatal(err)
	}
	c := startProgram(t, s, program)
	if err := os.Remove(program); err != nil {
		t.Fatal(err)
	}
	return c
}
