// Command bench measures clined as its users meet it: whole processes between a
// fake editor and a fake model that is a real HTTP server. One run prints one
// table of figures with their goals, and ends with code 1 when a goal is missed
// or a figure cannot be had. `make bench` builds and runs it.
//
// Runs of what is compared alternate and medians count, for machines are noisy;
// times of starting a process are shown as multiples of a bare Go program, taken
// in the same run. It judges, and optimises nothing: docs/performance.md has
// the last figures, profile_test.go benchmarks of the same paths for profilers.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"time"
)

// hangGuard ends a run that would never end.
const hangGuard = 10 * time.Minute

// measurements in the order of the table; each is named for -only.
var measurements = []struct {
	name    string
	measure func(s *stage) []figure
}{
	{"start", starts(41)},
	{"idle", idle(3)},
	{"turn", turns(21)},
	{"chunk", deltas(41)},
	{"result", results(31)},
	{"trips", trips(time.Second)},
	{"frames", goBenchmarks("rpc", "^BenchmarkFrames$")},
	{"edits", edits},
	{"store", goBenchmarks("store", "^Benchmark(Append|Open|Load)$")},
}

// profileOf is the command that profiles a benchmark of profile_test.go.
func profileOf(benchmark, kind string) string {
	return fmt.Sprintf("go test ./internal/test/bench -run '^$' -bench %[1]s -%[2]sprofile %[2]s.out && go tool pprof -top bench.test %[2]s.out", benchmark, kind)
}

func main() {
	binary := flag.String("bin", filepath.Join("bin", "clined"), "the stripped binary to measure")
	only := flag.String("only", "", "only measurements that match this expression")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), hangGuard)
	met, err := run(ctx, *binary, *only)
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
	if err != nil || !met {
		os.Exit(1)
	}
}

func run(ctx context.Context, binary, only string) (met bool, err error) {
	wanted, err := regexp.Compile(only)
	if err != nil {
		return false, err
	}
	if binary, err = filepath.Abs(binary); err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "clined-bench-")
	if err != nil {
		return false, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	probe := filepath.Join(dir, "probe")
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", probe, "./internal/test/bench/probe")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return false, fmt.Errorf("the probe cannot be built: %w", err)
	}
	var figures []figure
	for _, m := range measurements {
		if !wanted.MatchString(m.name) {
			continue
		}
		more, err := perform(ctx, binary, probe, m.measure)
		if err != nil {
			return false, fmt.Errorf("%s: %w", m.name, err)
		}
		figures = append(figures, more...)
	}
	return write(os.Stdout, figures), nil
}
