package main

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTableJudges(t *testing.T) {
	fine := figure{name: "fine", unit: "ms", samples: []float64{9, 1, 2, 3, 99}, goal: 4, unitOfStart: 2, profile: "look at fine"}
	slow := figure{name: "slow", unit: "ms", samples: []float64{5, 1, 4}, goal: 4, profile: "look at slow"}
	plain := figure{name: "plain", unit: "/s", samples: []float64{123456}}
	none := figure{name: "none", unit: "MB", goal: 30, why: "there is no /proc"}
	var out bytes.Buffer
	if !write(&out, []figure{fine, plain, none}) {
		t.Errorf("goals that were met, or not measured, are missed:\n%s", &out)
	}
	for _, want := range []string{"fine", "3.00 ms", "99.0 ms", "× 1.5", "< 4.00 ms", "123456 /s", "not measured here: there is no /proc"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("there is no %q in\n%s", want, &out)
		}
	}
	if strings.Contains(out.String(), "MISSED") || strings.Contains(out.String(), "look at") {
		t.Errorf("a goal is called missed:\n%s", &out)
	}
	out.Reset()
	if write(&out, []figure{fine, slow}) {
		t.Errorf("a median of just the goal is not under it:\n%s", &out)
	}
	if text := out.String(); strings.Count(text, "MISSED") != 1 || !strings.Contains(text, "look at slow") || strings.Contains(text, "look at fine") {
		t.Errorf("the wrong goal is missed:\n%s", text)
	}
}

func TestQuantile(t *testing.T) {
	samples := []float64{5, 1, 4, 2, 3}
	for q, want := range map[float64]float64{0: 1, 0.5: 3, 0.9: 5, 1: 5} {
		if got := quantile(samples, q); got != want {
			t.Errorf("%v of %v: %v, want %v", q, samples, got, want)
		}
	}
	if !slices.Equal(samples, []float64{5, 1, 4, 2, 3}) {
		t.Error("the samples are sorted in place")
	}
}

func TestTapTellsWhenATokenHadPassed(t *testing.T) {
	start := time.Now()
	tap := &tap{}
	for i, piece := range []string{"GET /a", " x GE", "T /b", "", "GET /c"} {
		tap.pass(start.Add(time.Duration(i)), []byte(piece))
	}
	tests := []struct {
		token string
		n     int
		want  time.Duration // of start, in ns; -1: never
	}{
		{"GET", 1, 0}, {"GET", 2, 2}, {"GET", 3, 4}, {"GET", 4, -1}, {"/a x", 1, 1}, {"/c", 1, 4}, {"/d", 1, -1},
	}
	for _, tt := range tests {
		at, ok := tap.when(tt.token, tt.n)
		if ok != (tt.want >= 0) || ok && at.Sub(start) != tt.want {
			t.Errorf("%q number %d: %v, %v; want %v", tt.token, tt.n, at.Sub(start), ok, tt.want)
		}
	}
}

func TestParseBenchmarks(t *testing.T) {
	const out = `goos: linux
pkg: clined/internal/store
BenchmarkAppend/1000-2         	     100	   2500000 ns/op	  12 B/op	 3 allocs/op
BenchmarkAppend/1000-2         	     100	   3500000 ns/op	  12 B/op	 3 allocs/op
BenchmarkFrames        	 5000000	       240 ns/op	 900.5 MB/s	   4166666 frames/s
BenchmarkBroken-2  this line is cut
--- FAIL: BenchmarkOther
PASS
`
	figures, said := parseBenchmarks(strings.NewReader(out))
	if said != out || len(figures) != 2 {
		t.Fatalf("%+v of %q", figures, said)
	}
	if f := figures[0]; f.name != "Append 1000" || f.unit != "ms" || !slices.Equal(f.samples, []float64{2.5, 3.5}) {
		t.Errorf("%+v", f)
	}
	if f := figures[1]; f.name != "Frames" || f.unit != "/s" || !slices.Equal(f.samples, []float64{4166666}) {
		t.Errorf("%+v", f)
	}
}

// What a fake complains of, and what fails at once, fails the measurement, and
// its clean-ups are done.
func TestPerformTellsFaults(t *testing.T) {
	for name, f := range map[string]func(*stage){
		"a complaint":     func(s *stage) { s.Errorf("request %d is odd", 7) },
		"a failure":       func(s *stage) { s.Fatalf("request %d is odd", 7) },
		"while clean-ups": func(s *stage) { s.Cleanup(func() { s.Errorf("request %d is odd", 7) }) },
	} {
		cleaned := false
		_, err := perform(context.Background(), "", "", func(s *stage) []figure {
			s.Cleanup(func() { cleaned = true })
			f(s)
			return nil
		})
		if err == nil || err.Error() != "request 7 is odd" || !cleaned {
			t.Errorf("%s: %v, cleaned up: %v", name, err, cleaned)
		}
	}
	figures, err := perform(context.Background(), "", "", func(*stage) []figure { return []figure{{name: "a"}} })
	if err != nil || len(figures) != 1 {
		t.Errorf("%v, %v", figures, err)
	}
}

// Each measurement still fits the program it measures, whatever it shows.
func TestMeasurementsWork(t *testing.T) {
	dir := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-o", dir, "./cmd/clined", "./internal/test/bench/probe")
	build.Dir = filepath.Join("..", "..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, tt := range map[string]struct {
		measure func(*stage) []figure
		figures int
	}{
		"start": {starts(1), 2}, "turn": {turns(1), 2}, "chunk": {deltas(2), 1}, "result": {results(2), 1}, "trips": {trips(time.Millisecond), 1},
	} {
		figures, err := perform(t.Context(), filepath.Join(dir, "clined"), filepath.Join(dir, "probe"), tt.measure)
		if err != nil || len(figures) != tt.figures {
			t.Errorf("%s: %d figures, %v", name, len(figures), err)
		}
		for _, f := range figures {
			if len(f.samples) == 0 && f.why == "" {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}
