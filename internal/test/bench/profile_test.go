package main

import (
	"context"
	"net"
	"path/filepath"
	"testing"

	"clined/internal/config"
	"clined/internal/daemon"
	"clined/internal/rpc"
	"clined/internal/test/fakeeditor"
)

// The benchmarks go the paths of the table in one process, for profilers. What
// they print is no figure of the table: the fakes are in it, the start is not.

// BenchmarkInitialize is a daemon made, initialized and closed.
func BenchmarkInitialize(b *testing.B) {
	inProcess(b, "", func(s *stage) {
		_, hangUp := s.daemon()
		hangUp()
	})
}

// BenchmarkTurn is a task of two requests on a daemon of its own.
func BenchmarkTurn(b *testing.B) {
	inProcess(b, turn, func(s *stage) {
		editor, hangUp := s.daemon()
		s.begin(editor)()
		hangUp()
	})
}

// inProcess runs f b.N times, each with the replies of script.
func inProcess(b *testing.B, script string, f func(s *stage)) {
	_, err := perform(b.Context(), "", "", func(s *stage) []figure {
		s.write(filepath.Join(s.ws, "a.txt"), "alpha\n")
		model, _, _ := s.model("")
		for i := 0; b.Loop(); i++ {
			model.Add(numbered(script, i))
			f(s)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

// daemon is one in this process, with an editor that has done its handshake.
func (s *stage) daemon() (editor *fakeeditor.Editor, hangUp func()) {
	d, _, err := daemon.New(daemon.Options{
		Dirs:    config.Dirs{Config: s.home, State: filepath.Join(s.home, "state"), Cache: filepath.Join(s.home, "cache")},
		Version: "bench", Environ: s.environ(),
	})
	s.Must("the daemon", err)
	ours, theirs := net.Pipe()
	served := make(chan struct{})
	go func() {
		defer close(served)
		d.Serve(context.WithoutCancel(s.ctx), theirs, rpc.Header)
		d.Close()
	}()
	editor = fakeeditor.Connect(s.ctx, s, ours, rpc.Header)
	s.initialize(editor)
	return editor, func() {
		editor.Close()
		<-editor.Done()
		<-served
	}
}
