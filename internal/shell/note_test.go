//go:build linux

package shell

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"clined/internal/tools"
)

// counting prints lines in two pieces each, for ever, in the background.
const counting = `(i=0; while :; do printf 'line '; i=$((i+1)); echo $i; done) & true`

// tellAll adds what a Manager tells to text, and gives the last of it.
func tellAll(m *Manager, text *strings.Builder) (last tools.RunningCommand) {
	for _, last = range m.Running() {
		text.WriteString(last.Fresh)
	}
	return last
}

// Whoever opens a task again is told what was not told before: of each command
// that it ended, and of its output every byte once.
func TestToldWhenOpenedAgain(t *testing.T) {
	for range 6 {
		o := Options{LogDir: filepath.Join(t.TempDir(), "odd [a-b]* dir"), Lines: 1 << 20, Bytes: 1 << 28}
		first := manager(t, o)
		var told strings.Builder
		res := first.run(counting)
		told.WriteString(res.Output)
		for range rand.IntN(4) {
			eventually(t, "it says more", func() bool {
				before := told.Len()
				tellAll(first.Manager, &told)
				return told.Len() > before
			})
		}
		if got := manager(t, o).Running(); len(got) > 0 {
			t.Errorf("told of what another one tells of: %+v", got)
		}
		if err := first.Close(); err != nil {
			t.Error(err)
		}
		log, err := os.ReadFile(res.LogFile)
		if err != nil {
			t.Fatal(err)
		}
		second := manager(t, o)
		c := tellAll(second.Manager, &told)
		if !c.Ended || !c.WithDaemon || c.Line != counting || c.LogFile != res.LogFile {
			t.Errorf("%+v", tools.RunningCommand{ID: c.ID, Line: c.Line, LogFile: c.LogFile, Ended: c.Ended, WithDaemon: c.WithDaemon})
		}
		if got := told.String(); got != string(log) {
			t.Errorf("%d bytes were told of %d", len(got), len(log))
		}
		if a, b := second.Running(), manager(t, o).Running(); len(a)+len(b) > 0 {
			t.Errorf("told again: %+v %+v", a, b)
		}
	}
}

// Of a daemon that was killed its files are left, as they were at that moment.
func TestToldAfterKill(t *testing.T) {
	o := Options{LogDir: t.TempDir(), Lines: 1 << 20, Bytes: 1 << 28}
	m := manager(t, o)
	var told strings.Builder
	res := m.run(counting)
	told.WriteString(res.Output)
	eventually(t, "it says more", func() bool { tellAll(m.Manager, &told); return told.Len() > len(res.Output) })

	o.LogDir = t.TempDir()
	for _, name := range []string{noteOf(res.LogFile), res.LogFile} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		// Of a process that is no more.
		b = bytes.Replace(b, fmt.Appendf(nil, `"Owner":%d,`, os.Getpid()), []byte(`"Owner":1073741824,`), 1)
		os.WriteFile(filepath.Join(o.LogDir, filepath.Base(name)), b, 0o600)
	}
	os.WriteFile(filepath.Join(o.LogDir, "command-0.json"), []byte(`{"ID": "half a no`), 0o600)
	log, _ := os.ReadFile(filepath.Join(o.LogDir, filepath.Base(res.LogFile)))
	c := tellAll(manager(t, o).Manager, &told)
	if !c.Ended || !c.WithDaemon || c.ExitCode != -1 {
		t.Errorf("%v %v %d", c.Ended, c.WithDaemon, c.ExitCode)
	}
	// The line that was printed last may have been told and not be in the log yet.
	if got, more := strings.CutPrefix(told.String(), string(log)); !more || strings.Contains(got, "\n") {
		t.Errorf("told %d bytes, the log has %d", told.Len(), len(log))
	}
	if left, _ := filepath.Glob(filepath.Join(o.LogDir, "*.json")); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}

// What has ended and was told of leaves nothing to tell.
func TestNothingToTellAgain(t *testing.T) {
	o := Options{LogDir: t.TempDir()}
	m := manager(t, o)
	m.run("(exit 3) & sleep 0.3 & echo one")
	m.run("sleep 0.2 & exit 4")
	ended := 0
	eventually(t, "both have ended", func() bool {
		for _, c := range m.Running() {
			if c.Ended && !c.WithDaemon {
				ended++
			}
		}
		return ended == 2
	})
	m.Close()
	if got := manager(t, o).Running(); len(got) > 0 {
		t.Errorf("%+v", got)
	}
	// One that had ended, and was not told of, did so by itself.
	m = manager(t, o)
	m.run("sleep 0.1 & exit 4")
	eventually(t, "it has ended", func() bool { return len(m.List()) == 0 })
	m.Close()
	if got := manager(t, o).Running(); len(got) != 1 || got[0].WithDaemon || got[0].ExitCode != 4 {
		t.Errorf("%+v", got)
	}
}

// A note whose owner lives is not for others; one whose number another process has
// by now is.
func TestOwnedNote(t *testing.T) {
	start, ok := born(os.Getpid())
	if !ok {
		t.Fatal("this process is not found")
	}
	for _, c := range []struct {
		n     noted
		owned bool
	}{
		{noted{Owner: os.Getpid(), Born: start}, true},
		{noted{Owner: 1 << 30, Born: start}, false},
		{noted{}, false},
		{noted{Owner: os.Getpid(), Born: start + 1}, false},
	} {
		if c.n.owned() != c.owned {
			t.Errorf("%+v", c.n)
		}
	}
}
