package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"clined/internal/test/fakellm"
	"clined/internal/test/trial"
)

// stage is what the fakes take for a test, and the folders of one measurement.
type stage struct {
	trial.Trial
	ctx context.Context
	// binary is the clined to measure, probe the program beside it.
	binary, probe string
	// home is CLINED_HOME, ws the workspace.
	home, ws string
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
	err = s.Run(func() { figures = measure(s) })
	return figures, err
}

// environ is that of a clined whose folders are this stage's. It has no key and
// no setting of the person who measures.
func (s *stage) environ() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "CLINED_HOME=" + s.home}
}

func (s *stage) write(path, text string) {
	s.Must("writing a file", os.WriteFile(path, []byte(text), 0o600))
}

// model starts a fake model, and settings that name it. The taps see what it
// reads and writes.
func (s *stage) model(script string) (m *fakellm.Server, in, out *tap) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	s.Must("listening", err)
	in, out = &tap{}, &tap{}
	m = fakellm.StartOn(s, tappedListener{l, in, out}, script)
	s.write(filepath.Join(s.home, "settings.json"), fmt.Sprintf(`{"model": "fake-model", "baseUrl": %q}`, m.URL()))
	return m, in, out
}
