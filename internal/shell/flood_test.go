//go:build linux

package shell

import (
	"context"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"clined/internal/tools"
)

// the line in the middle is in the log.
func TestLogHasEverything(t *testing.T) {
	dir := t.TempDir()
	m := manager(t, Options{LogDir: dir + "/logs"})
	res := m.run("seq 1 9999; echo ERROR in the middle; seq 10001 20000")
	if res.Omitted != 19500 || res.LogFile == "" || !strings.Contains(res.Output, "250\n[… 19500 lines omitted, full output: "+res.LogFile+" …]\n19751\n") {
		t.Fatalf("omitted %d, log %q: %.2000s", res.Omitted, res.LogFile, res.Output)
	}
	b, err := os.ReadFile(res.LogFile)
	if err != nil || strings.Count(string(b), "\n") != 20000 || !strings.Contains(string(b), "\n9999\nERROR in the middle\n10001\n") {
		t.Errorf("log of %d bytes, %v", len(b), err)
	}
	if info, err := os.Stat(res.LogFile); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if info, err := os.Stat(dir + "/logs"); err != nil || info.Mode().Perm() != 0o700 {
		t.Error(info.Mode(), err)
	}
}

func TestLogIsCappedAndOptional(t *testing.T) {
	m := manager(t, Options{LogDir: t.TempDir(), LogBytes: 100_000})
	res := m.run("seq 1 100000")
	if !strings.Contains(res.Output, "omitted, the first 100000 bytes of the output: "+res.LogFile) {
		t.Errorf("%.2000s", res.Output)
	}
	if b, _ := os.ReadFile(res.LogFile); len(b) > 100_100 || !strings.HasSuffix(string(b), "[the log ends here: it is limited to 100000 bytes]\n") {
		t.Errorf("%d bytes", len(b))
	}
	for _, o := range []Options{{}, {LogDir: "/proc/no/such"}} {
		res := manager(t, o).run("seq 1 100000")
		if res.LogFile != "" || !strings.Contains(res.Output, "\n[… 99500 lines omitted …]\n") || !strings.HasSuffix(res.Output, "\n100000\n") {
			t.Errorf("%+v: %q", o, res.LogFile)
		}
	}
}

// 100 MB, one giant line and an endless output, two at once: memory stays
// bounded and a cancel works.
func TestFlood(t *testing.T) {
	m := manager(t, Options{LogDir: t.TempDir(), LogBytes: 1 << 20})
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var wg sync.WaitGroup
	for _, line := range []string{"yes | head -c 100000000; echo end", "head -c 20000000 /dev/zero | tr '\\0' a; echo; echo end"} {
		wg.Go(func() {
			res, err := m.Run(t.Context(), tools.CommandLine{Line: line}, func(string) {})
			if err != nil || res.ExitCode != 0 || !strings.HasSuffix(strings.Split(res.Output, "[… long")[0], "end\n") || len(res.Output) > 45_000 {
				t.Errorf("%s: %v, %d bytes", line, err, len(res.Output))
			}
		})
	}
	wg.Wait()

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var once sync.Once
	var asked time.Time
	res, err := m.Run(ctx, tools.CommandLine{Line: "yes"}, func(string) { once.Do(func() { asked = time.Now(); cancel() }) })
	if err != nil || !res.Cancelled || res.Omitted == 0 && len(res.Output) == 0 {
		t.Errorf("%+v %v", res, err)
	}
	if took := time.Since(asked); took > 10*time.Second {
		t.Errorf("cancel took %v", took)
	}
	runtime.ReadMemStats(&after)
	if grown := int64(after.Sys) - int64(before.Sys); grown > 50<<20 {
		t.Errorf("memory grew by %d MB", grown>>20)
	}
}
