package daemon

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"clined/internal/config"
)

func TestLogging(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "log")
	var text bytes.Buffer
	l := newLogging(&text, dir)
	defer l.Close()
	log := l.logger().With("task", "t1")
	log.Info("before")
	if _, err := os.Stat(dir); err == nil {
		t.Error("a log file nobody asked for")
	}
	s := config.Default()
	s.Log.File = true
	l.apply(&s)
	log.WithGroup("g").Debug("full", "a", 1)
	log.Warn("both")
	s.Log.File, s.Log.Level = false, "info"
	l.apply(&s)
	log.Info("text again")
	if got := text.String(); strings.Contains(got, "before") || strings.Contains(got, "full") || !strings.Contains(got, `msg=both task=t1`) || !strings.Contains(got, "text again") {
		t.Errorf("text: %s", got)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "clined.log"))
	lines := strings.Split(strings.TrimSpace(string(raw)), "\n")
	if err != nil || len(lines) != 2 {
		t.Fatalf("%s, %v", raw, err)
	}
	var line struct {
		Msg, Task, Level string
		Pid              int
		G                struct{ A int }
	}
	if err := json.Unmarshal([]byte(lines[0]), &line); err != nil || line.Msg != "full" || line.Task != "t1" || line.Level != "DEBUG" || line.Pid != os.Getpid() || line.G.A != 1 {
		t.Errorf("%s, %v", lines[0], err)
	}
	for of, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "clined.log"): 0o600} {
		if info, err := os.Stat(of); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", of, info.Mode(), err)
		}
	}
}

// What cannot be written is told once, and nothing fails for it.
func TestALogFileThatCannotBeWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	l := newLogging(&text, dir)
	defer l.Close()
	l.apply(&config.Settings{Log: config.Log{Level: "error", File: true}})
	for range 3 {
		l.logger().Info("lost")
	}
	if strings.Count(text.String(), "the log file cannot be written") != 1 {
		t.Errorf("%s", text.String())
	}
}

// Several processes write one log: no line is lost or torn where the files turn,
// and only so many stay.
func TestLogsTurn(t *testing.T) {
	dir := t.TempDir()
	const writers, each, limit = 4, 300, 8 << 10
	var all sync.WaitGroup
	for w := range writers {
		r := newRotated(dir, "clined.log", limit)
		defer r.Close()
		log := slog.New(slog.NewJSONHandler(r, nil))
		all.Go(func() {
			for i := range each {
				log.Info(fmt.Sprintf("%d.%d", w, i))
			}
		})
	}
	all.Wait()
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1+keptLogs {
		t.Fatalf("%v, %v", entries, err)
	}
	last := map[string]int{}
	for _, name := range []string{"clined.log.3", "clined.log.2", "clined.log.1", "clined.log"} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || len(raw) > limit+writers*200 || len(raw) == 0 {
			t.Errorf("%s: %d bytes, %v", name, len(raw), err)
		}
		for line := range strings.Lines(string(raw)) {
			var l struct{ Msg string }
			if err := json.Unmarshal([]byte(line), &l); err != nil {
				t.Errorf("%s: %q", name, line)
				continue
			}
			who, number, _ := strings.Cut(l.Msg, ".")
			var n int
			fmt.Sscan(number, &n)
			if was, ok := last[who]; ok && n <= was || ok && n > was+1 {
				t.Errorf("%s: writer %s went from %d to %d", name, who, was, n)
			}
			last[who] = n
		}
	}
	for who, n := range last {
		if n != each-1 {
			t.Errorf("the last line of %s is %d", who, n)
		}
	}
}
