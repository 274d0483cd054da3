package main

import "strings"

// nearestGoal is in milliseconds: a model that waits for the nearest candidate in
// a file of 5 MB hardly waits.
const nearestGoal = 300

// edits measures diffs that are read and applied as they come, for texts that
// grow, and the search for what is most like lines that are nowhere.
func edits(s *stage) []figure {
	figures := goBenchmarks("diffedit", "^Benchmark(Stream|Nearest)$")(s)
	for i := range figures {
		if f := &figures[i]; strings.Contains(f.name, "Nearest") && !strings.HasSuffix(f.name, " 8MB") {
			f.goal = nearestGoal
			f.profile = "go test ./internal/diffedit -run '^$' -bench Nearest -cpuprofile cpu.out && go tool pprof -top diffedit.test cpu.out"
		}
	}
	return figures
}
