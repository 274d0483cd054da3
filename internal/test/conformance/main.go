// Command conformance shows whether a front does for its user what clined
// promises: an editor with its plugin, driven through a few verbs. It starts the
// front with the real daemon and a scripted model, does what a user does, and
// looks at what the user sees. Each line tells one promise; the exit code is 1 when
// one is broken, 2 when the arguments are wrong.
//
//	go run ./internal/test/conformance                        the fake editor
//	go run ./internal/test/conformance -front line            the same behind the line protocol
//	go run ./internal/test/conformance -- PROGRAM ARGS…       a driver of another front
//
// docs/conformance.md has the line protocol for drivers. Between front and
// daemon stands a relay, which notes the messages, changes some, and kills the
// daemon when a check wants it. It judges fronts by what they show, and knows
// nothing of how they are made.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// driverArg makes this program a driver of the fake editor.
const driverArg = "drive-fakeeditor"

func main() {
	if code, played := playPart(os.Args[1:], os.Stdin, os.Stdout, os.Stderr); played {
		os.Exit(code)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ok, err := run(ctx, os.Args[1:], os.Stdout)
	switch {
	case err != nil:
		if !errors.Is(err, flag.ErrHelp) { // which was answered
			fmt.Fprintln(os.Stderr, "conformance:", err)
		}
		os.Exit(2)
	case !ok:
		os.Exit(1)
	}
}

// playPart plays one of the children of a run.
func playPart(args []string, in io.Reader, out, log io.Writer) (code int, played bool) {
	var err error
	switch {
	case len(args) > 1 && args[0] == relayArg:
		code, err = relayMain(args[1], args[2:])
	case len(args) == 1 && args[0] == driverArg:
		front := newEditor(context.Background(), false)
		if err = errors.Join(serve(context.Background(), front, in, out), front.Close()); err != nil {
			code = 1
		}
	default:
		return 0, false
	}
	if err != nil {
		_, _ = fmt.Fprintln(log, "conformance:", err)
	}
	return code, true
}

func run(ctx context.Context, args []string, out io.Writer) (ok bool, err error) {
	flags := flag.NewFlagSet("conformance", flag.ContinueOnError)
	binary := flags.String("bin", filepath.Join("bin", "clined"), "the clined that the front is to start")
	front := flags.String("front", "fakeeditor", "fakeeditor, plain (it has no diff views), or line (the first as a driver program)")
	tier := flags.String("tier", "1,2", "tiers to run")
	only := flags.String("only", "", "only checks whose name matches this expression")
	patience := flags.Duration("patience", 20*time.Second, "how long a user waits to see something")
	keep := flags.String("keep", "", "a folder that gets the messages and logs of each check")
	if err := flags.Parse(args); err != nil {
		return false, err
	}
	sel := selection{}
	if sel.only, err = regexp.Compile(*only); err != nil {
		return false, err
	}
	for word := range strings.SplitSeq(*tier, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			return false, fmt.Errorf("-tier: %q is no number", word)
		}
		sel.tiers = append(sel.tiers, n)
	}
	self, err := os.Executable()
	if err != nil {
		return false, err
	}
	r := &rig{relay: []string{self, relayArg}, patience: *patience, keep: *keep}
	if r.binary, err = filepath.Abs(*binary); err != nil {
		return false, err
	}
	if _, err := os.Stat(r.binary); err != nil {
		return false, fmt.Errorf("%w; build it first, or name one with -bin", err)
	}
	name := *front
	switch {
	case flags.NArg() > 0:
		name = strings.Join(append([]string{filepath.Base(flags.Arg(0))}, flags.Args()[1:]...), " ")
		r.front = program(flags.Args()...)
	case name == "fakeeditor":
		r.front = fakeEditor(false)
	case name == "plain":
		r.front = fakeEditor(true)
	case name == "line":
		r.front = program(self, driverArg)
	default:
		return false, fmt.Errorf("-front: %q is none of fakeeditor, plain, line", name)
	}
	return summary(out, name, runChecks(ctx, r, sel, out)), nil
}

// fakeEditor makes fake editors of this process.
func fakeEditor(plain bool) func(context.Context, *os.File) (Front, error) {
	return func(ctx context.Context, _ *os.File) (Front, error) { return newEditor(ctx, plain), nil }
}

// program makes fronts by a driver program.
func program(words ...string) func(context.Context, *os.File) (Front, error) {
	return func(ctx context.Context, log *os.File) (Front, error) {
		return startDriver(ctx, log, words[0], words[1:]...)
	}
}
