package builtin

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"clined/internal/tools"
)

// maxTimeout bounds what a model may ask for.
const maxTimeout = 24 * time.Hour

func (k *kit) executeCommand() tools.Tool {
	return &simple{spec("execute_command", tools.Command,
		required("command", "string"), optional("requires_approval", "boolean"), optional("interactive", "boolean"),
		optional("timeout", "integer")), k.prepareCommand}
}

func (k *kit) prepareCommand(_ context.Context, call tools.Call) (*tools.Action, error) {
	line := call.Args.String("command")
	if strings.TrimSpace(line) == "" {
		return nil, errors.New("the command is empty; nothing was run")
	}
	if err := k.elsewhere(call.Args); err != nil {
		return nil, err
	}
	var timeout time.Duration
	if seconds, ok := call.Args.Int("timeout"); ok {
		if seconds < 1 {
			return nil, fmt.Errorf("timeout must be at least 1 (seconds), not %d; nothing was run", seconds)
		}
		timeout = min(time.Duration(min(seconds, int(maxTimeout/time.Second)))*time.Second, maxTimeout)
	}
	c := tools.CommandLine{ID: call.ID, Line: line, Dir: k.CWD, Timeout: timeout, TTY: call.Args.Bool("interactive")}
	subject := tools.Subject{
		Kind: tools.Command, Command: line, Cwd: k.CWD, WantsApproval: call.Args.Bool("requires_approval"),
		Interactive: c.TTY, Timeout: int(timeout / time.Second),
	}
	if k.Sandbox != nil {
		subject.Sandbox = k.Sandbox()
	}
	output := call.Emit
	if output == nil {
		output = func(string) {}
	}
	return &tools.Action{
		Title:   "Run " + firstLine(line),
		Subject: subject,
		Run: func(ctx context.Context, _ tools.Decision) tools.Result {
			r, err := k.Commands.Run(ctx, c, output)
			if err != nil {
				return tools.Fail(fmt.Sprintf("The command was not run: %v", err))
			}
			res := commandResult(r, c.TTY)
			if r.Refused != "" && !r.Demanded {
				res.Retry = k.outside(c, subject, r.Refused, output)
			}
			return res
		},
	}, nil
}

// outside is the command once more, without the sandbox that probably made it
// fail; refused says why.
func (k *kit) outside(c tools.CommandLine, s tools.Subject, refused string, output func(string)) *tools.Action {
	c.Unsandboxed = true
	s.Unsandboxed, s.Refused, s.Sandbox, s.Tool = true, refused, "", "execute_command"
	return &tools.Action{
		Title:   "Run outside the sandbox " + firstLine(c.Line),
		Subject: s,
		Run: func(ctx context.Context, _ tools.Decision) tools.Result {
			r, err := k.Commands.Run(ctx, c, output)
			if err != nil {
				return tools.Fail(fmt.Sprintf("The command was not run again: %v", err))
			}
			res := commandResult(r, c.TTY)
			res.Text = "In the sandbox it failed, so the user had it run again without. " + res.Text
			return res
		},
	}
}

// elsewhere refuses what other products take beside a command: run without it
// the command would do something else.
func (k *kit) elsewhere(args tools.Args) error {
	for _, name := range []string{"cwd", "workdir", "working_directory", "directory", "dir"} {
		if dir := args.String(name); dir != "" && dir != "." && dir != k.CWD {
			return fmt.Errorf("execute_command has no parameter %q: commands start in %s, so write `cd DIR && …`; nothing was run", name, k.CWD)
		}
	}
	for _, name := range []string{"background", "is_background", "run_in_background"} {
		if args.Bool(name) {
			return fmt.Errorf("execute_command has no parameter %q: end the command with & to leave it running; nothing was run", name)
		}
	}
	return nil
}

// commandResult words how a command ended; each way has its own words.
func commandResult(r *tools.CommandResult, tty bool) tools.Result {
	var res tools.Result
	took := r.Duration.Round(100 * time.Millisecond)
	switch {
	case r.Detached:
		res.Text = fmt.Sprintf("The user let the command go on in the background after %s: it is still running. "+
			"What it prints from now on comes with environment_details", took)
		if r.LogFile != "" {
			res.Text += ", and all of it is in " + r.LogFile
		}
		res.Text += "."
	case r.Cancelled:
		res.Outcome = tools.Cancelled
		res.Text = fmt.Sprintf("The user stopped the command after %s; it may have done part of its work.", took)
	case r.TimedOut:
		res.Outcome = tools.Failed
		res.Text = fmt.Sprintf("The command was stopped by its timeout after %s; it may have done part of its work.", took)
		if r.Stopped == "" && (r.Asks == "" || tty) { // else more time would not have helped
			res.Text += " Give a longer timeout, or make it do less."
		}
	case r.Signal != "":
		res.Outcome = tools.Failed
		res.Text = fmt.Sprintf("The command was ended by a signal (%s) after %s.", r.Signal, took)
	case r.ExitCode != 0:
		res.Outcome = tools.Failed
		res.Text = fmt.Sprintf("The command failed with exit code %d (%s).", r.ExitCode, took)
	default:
		res.Text = fmt.Sprintf("The command succeeded (exit code 0, %s).", took)
	}
	switch {
	case r.Refused != "":
		res.Text += " " + r.Refused
	case r.Stopped != "":
		res.Text += fmt.Sprintf(" A signal had stopped it (%s), and nothing let it go on: it must not stop itself, nor read the terminal from the background.", r.Stopped)
	case r.Asks != "" && !r.Detached && tty:
		res.Text += fmt.Sprintf(" It was waiting for the user to type, at %q.", r.Asks)
	case r.Asks != "" && !r.Detached:
		res.Text += fmt.Sprintf(" It wanted input that it could not get, at %q. Give it what it needs by its options, or call it with interactive: true, so that the user can type.", r.Asks)
	}
	if r.Background && !r.Detached {
		res.Text += " Processes it started are still running in the background"
		if r.LogFile != "" {
			res.Text += "; what they print later is added to " + r.LogFile
		}
		res.Text += "."
	}
	output := strings.TrimRight(r.Output, "\n")
	if strings.TrimSpace(output) == "" {
		res.Text += " It printed nothing."
		return res
	}
	if r.Omitted > 0 {
		// The mark in its place says where they are.
		res.Text += fmt.Sprintf(" Of its output %s in the middle are left out.", plural(r.Omitted, "line"))
	}
	res.Text += "\nOutput:\n" + output
	return res
}

// firstLine shortens a command or an expression for a title.
func firstLine(line string) string {
	short, _, more := strings.Cut(strings.TrimSpace(line), "\n")
	if runes := []rune(short); len(runes) > 100 {
		short, more = string(runes[:100]), true
	}
	if more {
		short += "…"
	}
	return "`" + short + "`"
}
