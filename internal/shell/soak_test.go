//go:build linux

package shell

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"clined/internal/tools"
)

// commandsToRun is how many short commands TestManyShortCommands runs; COMMANDS in
// the environment is another number (make soak: 10,000).
const commandsToRun = 300

// TestManyShortCommands runs short commands of many kinds, several at a time: none
// hangs, every byte and exit code is there, and nothing is left. It tells how
// long it took from the end of the shell until Run returned.
func TestManyShortCommands(t *testing.T) {
	n := commandsToRun
	if s := os.Getenv("COMMANDS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	m := manager(t, Options{LogDir: t.TempDir(), Settings: func() Settings { return Settings{Shell: bash} }})
	files, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	var next atomic.Int64
	took := make([]time.Duration, n)
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= n || t.Failed() {
					return
				}
				took[i] = m.short(i)
			}
		})
	}
	workers.Wait()
	if t.Failed() {
		return
	}
	slices.Sort(took)
	t.Logf("%d commands; from the end of the shell to the result: median %v, p99 %v, longest %v", n, took[n/2], took[n*99/100], took[n-1])
	m.Close()
	if after, _ := filepath.Glob("/proc/self/fd/*"); len(after) > len(files)+3 { // the poller, and the files of the test itself
		t.Errorf("%d files are open, %d were", len(after), len(files))
	}
}

// short runs the i-th command and returns how long its result took after the
// moment it printed last.
func (f *fixture) short(i int) time.Duration {
	tail := fmt.Sprintf("; printf 'last %d ' ; printf %%s \"$EPOCHREALTIME\"; exit %d", i, i%7)
	kinds := []struct {
		line, output string
		background   bool
	}{
		{"true", "", false},
		{"echo a; echo b >&2", "a\nb\n", false},
		{"echo x | cat | cat", "x\n", false},
		{"seq 1 400", lines(400), false},
		{"sleep 0.01; printf 'é'", "é", false},
		{"sleep 5 & disown", "", true},
		{"head -c 20000 /dev/zero | tr '\\0' a | fold -w 100; echo", strings.Repeat(strings.Repeat("a", 100)+"\n", 200), false},
		{"echo $(echo nested $(echo twice))", "nested twice\n", false},
		{"printf '\\r1%%\\r2%%\\r100%%\\n\\033[31mred\\033[0m\\n'", "100%\nred\n", false},
		{"(exit 9); read -t 0.01 x; kill -0 $$", "", false},
	}
	k := kinds[i%len(kinds)]
	id := fmt.Sprint("c", i)
	res, err := f.Run(f.t.Context(), tools.CommandLine{Line: k.line + tail, ID: id, TTY: i%16 == 3, Timeout: hang}, nil)
	end := time.Now()
	if err != nil || res.TimedOut || res.ExitCode != i%7 || res.Omitted != 0 || res.Background != k.background && i%16 != 3 {
		f.t.Errorf("%s: %+v %v", k.line, res, err)
		return 0
	}
	if res.Background {
		if err := f.Kill(f.t.Context(), id); err != nil {
			f.t.Errorf("%s: %v", k.line, err)
		}
		f.Running()
	}
	printed, ok := strings.CutPrefix(res.Output, k.output+fmt.Sprintf("last %d ", i))
	at, err := strconv.ParseFloat(printed, 64)
	if !ok || err != nil {
		f.t.Errorf("%s: %q", k.line, res.Output)
		return 0
	}
	return end.Sub(time.UnixMicro(int64(at * 1e6)))
}

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintln(&b, i+1)
	}
	return b.String()
}
