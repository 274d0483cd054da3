package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"clined/internal/test/fakellm"
	"clined/internal/test/trial"
)

// rig is what all checks of a run share.
type rig struct {
	// binary is the clined to run; relay the command line of a relay.
	binary string
	relay  []string
	// front makes a front that was not started; log gets what it writes for
	// people.
	front func(ctx context.Context, log *os.File) (Front, error)
	// patience is how long a user waits to see something.
	patience time.Duration
	// keep is a folder for what checks leave behind, "" for none.
	keep string
}

// stage is one check being played: folders, a model, and a front.
type stage struct {
	trial.Trial
	ctx context.Context
	rig *rig
	dir string
	// home is CLINED_HOME, ws the workspace.
	home, ws string

	Front
	check   *check
	model   *fakellm.Server
	control net.Listener
	relayed net.Conn // to the relay that runs now
}

// play runs a check and returns what went wrong.
func play(ctx context.Context, r *rig, c *check) (err error) {
	ctx, cancel := context.WithTimeout(ctx, checkLimit)
	defer cancel()
	// A short path: not every system lets sockets and scripts have long ones.
	dir, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	s := &stage{ctx: ctx, rig: r, check: c, dir: dir, home: filepath.Join(dir, "home"), ws: filepath.Join(dir, "ws")}
	err = s.Run(func() {
		s.build()
		c.run(s)
		if left := s.now().Faults; len(left) > 0 {
			s.Errorf("the front found faults of clined: %s", strings.Join(left, "; "))
		}
	})
	if err != nil {
		err = fmt.Errorf("%w%s", err, s.diagnosis())
	}
	return errors.Join(err, s.clear())
}

// checkLimit ends a check that would never end.
const checkLimit = 2 * time.Minute

// clear removes the folders, or keeps them under the check's name.
func (s *stage) clear() error {
	if s.rig.keep == "" {
		return os.RemoveAll(s.dir)
	}
	kept := filepath.Join(s.rig.keep, strings.ReplaceAll(s.check.name, " ", "-"))
	return errors.Join(os.RemoveAll(kept), os.CopyFS(kept, os.DirFS(s.dir)), os.RemoveAll(s.dir))
}

// build lays out the folders, starts the model, and makes the program that the
// front takes for clined.
func (s *stage) build() {
	c := s.check
	for name, text := range c.files {
		s.write(filepath.Join("ws", name), text)
	}
	s.Must("the workspace", os.MkdirAll(s.ws, 0o700))
	for name, target := range c.links {
		s.Must("a link", os.Symlink(target, filepath.Join(s.ws, name)))
	}
	s.model = fakellm.Start(s, c.model)
	s.write("home/settings.json", fmt.Sprintf(`{"model": "fake-model", "baseUrl": %q}`, s.model.URL()))
	var err error
	s.control, err = net.Listen("tcp", "127.0.0.1:0")
	s.Must("listening for the relay", err)
	s.Cleanup(func() { _ = s.control.Close() })
	raw, err := json.Marshal(plan{
		Binary: s.rig.binary, Control: s.control.Addr().String(), Protocol: c.protocol, News: c.news,
		Wire: filepath.Join(s.dir, "wire.jsonl"), Log: filepath.Join(s.dir, "clined.log"),
		Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "SHELL=/bin/sh", "LANG=C.UTF-8", "CLINED_HOME=" + s.home},
	})
	s.Must("the relay's plan", err)
	s.write("plan.json", string(raw))
	words := append(append([]string{}, s.rig.relay...), filepath.Join(s.dir, "plan.json"))
	for i, w := range words {
		words[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
	}
	// A child that is started meanwhile elsewhere would hold the file open for
	// writing, and it could not be run.
	syscall.ForkLock.RLock()
	err = os.WriteFile(s.program(), []byte("#!/bin/sh\nexec "+strings.Join(words, " ")+" \"$@\"\n"), 0o700)
	syscall.ForkLock.RUnlock()
	s.Must("the program", err)
	log, err := os.Create(filepath.Join(s.dir, "front.log"))
	s.Must("the front's log", err)
	s.Cleanup(func() { _ = log.Close() })
	s.Front, err = s.rig.front(s.ctx, log)
	s.Must("the front", err)
	s.Cleanup(func() {
		if err := s.Close(); err != nil {
			s.Errorf("the front ends with: %v", err)
		}
	})
}

// program is what the front is told to start.
func (s *stage) program() string { return filepath.Join(s.dir, "clined") }

// write writes a file below the stage's folder.
func (s *stage) write(name, text string) {
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	s.Must("a folder", os.MkdirAll(filepath.Dir(path), 0o700))
	s.Must("a file", os.WriteFile(path, []byte(text), 0o600))
}

// file reads one of the workspace; "" when there is none.
func (s *stage) file(name string) string { return s.read("ws/" + name) }

// read reads a file below the stage's folder; "" when there is none.
func (s *stage) read(name string) string {
	text, err := os.ReadFile(filepath.Join(s.dir, filepath.FromSlash(name)))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		s.Fatalf("reading: %v", err)
	}
	return string(text)
}

// diagnosis is the end of what was said on the wire and in the logs.
func (s *stage) diagnosis() string {
	var b strings.Builder
	for _, name := range []string{"wire.jsonl", "clined.log", "front.log"} {
		text, err := os.ReadFile(filepath.Join(s.dir, name))
		if err != nil || len(text) == 0 {
			continue
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		fmt.Fprintf(&b, "\n%s:", name)
		for _, l := range lines[max(0, len(lines)-8):] {
			fmt.Fprintf(&b, "\n  %.300s", l)
		}
	}
	return b.String()
}
