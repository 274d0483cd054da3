// Command testsum reads the events of `go test -json` on standard input, prints
// the output of what failed and a line per package, and ends with the totals as
// "N passed, N failed, N skipped".
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// event is a line of `go test -json` (see `go doc test2json`).
type event struct {
	Action, Package, Test, Output, ImportPath string
	Elapsed                                   float64
}

func main() {
	var passed, failed, skipped int
	outputs := map[string]*strings.Builder{}
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var e event
		if json.Unmarshal(in.Bytes(), &e) != nil {
			fmt.Println(in.Text()) // a compiler's words
			continue
		}
		key := e.ImportPath + e.Package + " " + e.Test
		switch e.Action {
		case "output", "build-output":
			if outputs[key] == nil {
				outputs[key] = &strings.Builder{}
			}
			outputs[key].WriteString(e.Output)
			continue
		case "pass":
			if e.Test != "" {
				passed++
			} else {
				fmt.Printf("ok   %-45s %6.1f s\n", e.Package, e.Elapsed)
			}
		case "skip":
			if e.Test != "" {
				skipped++
			}
		case "fail", "build-fail":
			failed++
			for k, b := range outputs {
				// A package that failed as a whole may have died in a test.
				if k == key || e.Test == "" && strings.HasPrefix(k, key) {
					fmt.Print(b.String())
				}
			}
			fmt.Printf("FAIL %s\n", strings.TrimSpace(key))
		default:
			continue
		}
		delete(outputs, key)
	}
	fmt.Printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped)
	if failed > 0 || in.Err() != nil {
		os.Exit(1)
	}
}
