package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// goBenchmarks runs benchmarks of a package of ours and shows those that match.
// A metric of their own is shown instead of the time of an operation.
func goBenchmarks(room, match string) func(s *stage) []figure {
	return func(s *stage) []figure {
		cmd := exec.CommandContext(s.ctx, "go", "test", "./internal/"+room, "-run", "^$", "-bench", match, "-benchtime", "300ms")
		out, err := cmd.StdoutPipe()
		s.Must("a pipe", err)
		cmd.Stderr = os.Stderr
		s.Must("go test", cmd.Start())
		figures, said := parseBenchmarks(out)
		if err := cmd.Wait(); err != nil {
			s.Fatalf("the benchmarks of %s fail: %v\n%s", room, err, said)
		}
		if len(figures) == 0 {
			return []figure{{name: room, why: "no benchmark matches " + match}}
		}
		for i := range figures {
			figures[i].name = room + ", " + figures[i].name
		}
		return figures
	}
}

// benchmarkLine is one of `go test -bench`: name, processors, runs, value, unit,
// and further values with their units.
var benchmarkLine = regexp.MustCompile(`^Benchmark(\S+?)(?:-\d+)?\s+\d+\s+(.+)$`)

// parseBenchmarks reads the output of go test; lines of one name are samples of
// one figure. said is the output, for messages.
func parseBenchmarks(r io.Reader) (figures []figure, said string) {
	var all strings.Builder
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		fmt.Fprintln(&all, lines.Text())
		m := benchmarkLine.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		value, unit, ok := pick(strings.Fields(m[2]))
		if !ok {
			continue
		}
		name := strings.ReplaceAll(m[1], "/", " ")
		i := slices.IndexFunc(figures, func(f figure) bool { return f.name == name })
		if i < 0 {
			i = len(figures)
			figures = append(figures, figure{name: name, unit: unit})
		}
		figures[i].samples = append(figures[i].samples, value)
	}
	return figures, all.String()
}

// pick takes a rate where there is one, else the time of an operation.
func pick(fields []string) (value float64, unit string, ok bool) {
	for i := 0; i+1 < len(fields); i += 2 {
		v, err := strconv.ParseFloat(fields[i], 64)
		if err != nil {
			return 0, "", false
		}
		switch u := fields[i+1]; {
		case u == "ns/op":
			value, unit, ok = v/1e6, "ms", true
		case strings.HasSuffix(u, "/s") && u != "MB/s":
			return v, "/s", true
		}
	}
	return value, unit, ok
}
