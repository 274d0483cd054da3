// Command clined is an AI coding agent as an editor backend. Without a
// subcommand it serves one editor on standard input and output.
//
// This package owns the command line, the standard streams, signals and exit
// codes; everything else is in internal.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"

	"clined/internal/config"
	"clined/internal/console"
	"clined/internal/daemon"
	"clined/internal/store"

	"github.com/alecthomas/kong"
)

// cli is the command line.
type cli struct {
	Stdio   stdioCmd   `cmd:"" default:"withargs" help:"Serve one editor on stdin and stdout (what editors start)."`
	Run     runCmd     `cmd:"" help:"Do a task in the terminal."`
	Tasks   tasksCmd   `cmd:"" help:"List, show, search, resume and delete tasks."`
	Demo    demoCmd    `cmd:"" help:"Show a whole task with a scripted model, on throw-away files."`
	Tool    toolCmd    `cmd:"" help:"Run one tool as the model would, and print what the model would see."`
	Prompt  promptCmd  `cmd:"" help:"Print what a model is sent first: system prompt, tools, first message."`
	Auth    authCmd    `cmd:"" help:"API keys: store one, forget one, tell which are used."`
	Config  configCmd  `cmd:"" help:"Read and change settings."`
	Policy  policyCmd  `cmd:"" help:"Tell what would be allowed, and why."`
	Trust   trustCmd   `cmd:"" help:"Let the settings of a workspace loosen what clined may do there."`
	Rules   rulesCmd   `cmd:"" help:"List and remove what an \"always\" allows, and show what was decided."`
	Doctor  doctorCmd  `cmd:"" help:"Look at everything that is configured, and tell what is missing and how to mend it."`
	Schema  schemaCmd  `cmd:"" help:"Print the JSON Schema of the editor protocol, or of the settings."`
	Version versionCmd `cmd:"" help:"Print the version."`
	Weather weatherCmd `cmd:"" hidden:"" help:"The example MCP server of the demo."`
}

// app is what commands may use of the process.
type app struct {
	stdin  io.Reader
	stdout io.Writer
	stderr io.Writer
	args   []string
}

// exit is an exit code that was explained already.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usageError is the user's mistake on the command line.
type usageError struct{ text, hint string }

func (e *usageError) Error() string { return e.text }

func main() {
	if code, ok := daemon.Child(os.Args[1:], os.Stdin, os.Stdout, os.Exit); ok {
		os.Exit(code)
	}
	os.Exit(run(&app{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, args: os.Args[1:]}))
}

// run parses and runs a command line and returns the exit code.
func run(a *app) int {
	ctx, stop := untilSignal(endSignals())
	defer stop()

	var c cli
	helped := false
	parser, err := kong.New(&c,
		kong.Name("clined"),
		kong.Description("An AI coding agent as an editor backend. An editor starts it without a command."),
		kong.Writers(a.stdout, a.stderr),
		kong.Exit(func(int) { helped = true }),
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(a),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		return a.report(err)
	}
	parsed, err := parser.Parse(a.args)
	if helped {
		return console.ExitDone
	}
	if err != nil {
		text := strings.Replace(err.Error(), `must be one of "",`, "must be one of ", 1) // nothing is no choice to type
		return a.report(&usageError{text: text, hint: "see " + helpFor(parser, a.args)})
	}
	return a.report(parsed.Run())
}

// untilSignal returns a context that ends with the first of the signals; the
// second one ends the process at once. But for an interrupt by the user its
// cause is console.ErrLeave.
func untilSignal(signals []os.Signal) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	came := make(chan os.Signal, 1)
	signal.Notify(came, signals...)
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case s := <-came:
			signal.Stop(came)
			if s == os.Interrupt {
				cancel(nil)
			} else {
				cancel(console.ErrLeave)
			}
		case <-ctx.Done():
			signal.Stop(came)
		}
	})
	return ctx, func() {
		cancel(nil)
		watching.Wait()
	}
}

// endSignals ask the process to end in order. A hang-up that was to be ignored
// (nohup) stays ignored.
func endSignals() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// helpFor is the help of the command that was meant, else that of all.
func helpFor(parser *kong.Kong, args []string) string {
	node, path := parser.Model.Node, "clined"
	for _, arg := range args {
		at := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == arg })
		if at < 0 {
			break
		}
		node, path = node.Children[at], path+" "+arg
	}
	return path + " --help"
}

// report tells the user of an error and returns the exit code.
func (a *app) report(err error) int {
	var code exit
	var usage *usageError
	var setting *config.Problem
	var stored *store.Problem
	if code, ok := a.asProblem(err); ok {
		return code
	}
	switch {
	case err == nil:
		return console.ExitDone
	case errors.As(err, &code):
		return int(code)
	case errors.As(err, &usage):
		a.complain(usage.text, usage.hint)
		return console.ExitUsage
	case errors.Is(err, context.Canceled):
		return console.ExitCancelled
	case errors.As(err, &setting):
		a.complain(setting.Error(), setting.Hint)
		return console.ExitFailed
	case errors.As(err, &stored):
		a.complain(stored.Message, stored.Hint)
		return console.ExitFailed
	}
	a.complain(err.Error(), "")
	return console.ExitFailed
}

// complain writes a sentence and a hint in the form that all messages have.
func (a *app) complain(text, hint string) {
	fmt.Fprintf(a.stderr, "clined: %s\n", text)
	if hint != "" {
		fmt.Fprintf(a.stderr, "hint: %s\n", hint)
	}
}
