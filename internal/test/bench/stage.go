package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"

	"clined/internal/test/fakellm"
)

// stage is what the fakes take for a test, and the folders of one measurement.
type stage struct {
	ctx context.Context
	// binary is the clined to measure, probe the program beside it.
	binary, probe string
	// home is CLINED_HOME, ws the workspace.
	home, ws string

	mu       sync.Mutex // guards the rest
	faults   []string
	cleanups []func()
}

// fatal is what Fatalf panics with; perform catches it.
type fatal string

// Helper is for testing.TB.
func (s *stage) Helper() {}

// Logf is for testing.TB.
func (s *stage) Logf(string, ...any) {}

// Errorf makes the measurement fail at its end.
func (s *stage) Errorf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, fmt.Sprintf(format, args...))
}

// Fatalf makes it fail now.
func (s *stage) Fatalf(format string, args ...any) { panic(fatal(fmt.Sprintf(format, args...))) }

// Cleanup is done at its end, the last one first.
func (s *stage) Cleanup(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.cleanups = append(s.cleanups, f)
}

// must fails for an error.
func (s *stage) must(what string, err error) {
	if err != nil {
		s.Fatalf("%s: %v", what, err)
	}
}

// perform runs a measurement on a stage of its own, with an empty workspace. What
// a fake complains of is an error.
func perform(ctx context.Context, binary, probe string, measure func(s *stage) []figure) (figures []figure, err error) {
	dir, err := os.MkdirTemp("", "clined-bench-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	s := &stage{ctx: ctx, binary: binary, probe: probe, home: filepath.Join(dir, "home"), ws: filepath.Join(dir, "ws")}
	for _, d := range []string{s.home, s.ws} {
		if err := os.Mkdir(d, 0o700); err != nil {
			return nil, err
		}
	}
	defer func() {
		for i := len(s.cleanups) - 1; i >= 0; i-- {
			s.cleanups[i]()
		}
		switch p := recover().(type) {
		case nil:
			if len(s.faults) > 0 {
				err = errors.New(s.faults[0])
			}
		case fatal:
			err = errors.New(string(p))
		default:
			panic(p)
		}
	}()
	return measure(s), nil
}

// environ is that of a clined whose folders are this stage's. It has no key and
// no setting of the person who measures.
func (s *stage) environ() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "CLINED_HOME=" + s.home}
}

func (s *stage) write(path, text string) {
	s.must("writing a file", os.WriteFile(path, []byte(text), 0o600))
}

// model starts a fake model, and settings that name it. The taps see what it
// reads and writes.
func (s *stage) model(script string) (m *fakellm.Server, in, out *tap) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	s.must("listening", err)
	in, out = &tap{}, &tap{}
	m = fakellm.StartOn(s, tappedListener{l, in, out}, script)
	s.write(filepath.Join(s.home, "settings.json"), fmt.Sprintf(`{"model": "fake-model", "baseUrl": %q}`, m.URL()))
	return m, in, out
}
