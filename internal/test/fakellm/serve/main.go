// Command serve plays a script of fakellm for tests in other languages.
//
//	go run ./internal/test/fakellm/serve [-partial] SCRIPT…
//
// The scripts, files in the language of fakellm.Parse, are played one after the
// other; without any the replies come by POST /script. The first line on standard
// output is {"url": "http://127.0.0.1:PORT/v1"}; what else it answers is told at
// fakellm's control.go. It serves until its standard input ends or it is
// interrupted. Whatever did not fit is told on standard error as it happens.
//
// The exit code is 0, 1 when something did not fit or replies were not asked for
// (with -partial those do not count), and 2 when it could not start.
//
// It owns no test: it knows the fake model, and nobody imports it.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"clined/internal/test/fakellm"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run serves until stdin ends or ctx does.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	flags.SetOutput(stderr)
	partial := flags.Bool("partial", false, "replies that were not asked for are no fault")
	if flags.Parse(args) != nil {
		return 2
	}
	var script strings.Builder
	for _, file := range flags.Args() {
		text, err := os.ReadFile(file)
		if err != nil {
			fmt.Fprintln(stderr, "serve:", err)
			return 2
		}
		if _, err := fakellm.Parse(string(text)); err != nil { // whose line is this file's
			fmt.Fprintf(stderr, "serve: %s: %v\n", file, err)
			return 2
		}
		script.Write(text)
		script.WriteByte('\n')
	}
	r := &report{out: stderr}
	s, err := start(r, script.String())
	if err != nil {
		fmt.Fprintln(stderr, "serve:", err)
		return 2
	}
	if err := json.NewEncoder(stdout).Encode(map[string]string{"url": s.URL()}); err != nil {
		fmt.Fprintln(stderr, "serve:", err)
		s.Dismiss()
		s.Close()
		return 2
	}
	await(ctx, stdin)
	if *partial {
		s.Dismiss()
	}
	s.Close()
	if r.faults() > 0 {
		return 1
	}
	return 0
}

// await returns when stdin or ctx has ended. What reads stdin then ends with the
// process.
func await(ctx context.Context, stdin io.Reader) {
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, stdin) // however it ends, it is over
	}()
	select {
	case <-ended:
	case <-ctx.Done():
	}
}

// report is a test as fakellm sees one: it tells of each fault at once.
type report struct {
	mu  sync.Mutex // guards the rest
	out io.Writer
	n   int
}

var _ fakellm.T = (*report)(nil)

// fatal is what Fatalf ends its caller with.
type fatal struct{ error }

func start(r *report, script string) (s *fakellm.Server, err error) {
	defer func() {
		switch f := recover().(type) {
		case nil:
		case fatal:
			err = f.error
		default:
			panic(f)
		}
	}()
	return fakellm.Start(r, script), nil
}

// Helper implements fakellm.T.
func (r *report) Helper() {}

// Cleanup implements fakellm.T: run closes the server itself.
func (r *report) Cleanup(func()) {}

// Errorf implements fakellm.T.
func (r *report) Errorf(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	fmt.Fprintf(r.out, format+"\n", args...)
}

// Fatalf implements fakellm.T, for the goroutine of start.
func (r *report) Fatalf(format string, args ...any) { panic(fatal{fmt.Errorf(format, args...)}) }

func (r *report) faults() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.n
}
