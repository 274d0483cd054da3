package archtest

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Each check takes packages and returns what is wrong, so that it can be shown
// to find something (see TestChecksFindFaults).
type check func(all []pkg) []string

func TestImports(t *testing.T) {
	all := packages(t)
	for name, c := range map[string]check{"rooms": checkRooms, "layers": checkLayers, "walls": checkWalls, "importers": checkImporters,
		"std": checkStd, "third party": checkThirdParty, "absent": checkAbsent, "test": checkTestImports} {
		t.Run(name, func(t *testing.T) {
			for _, fault := range c(all) {
				t.Error(fault)
			}
		})
	}
}

// checkRooms finds packages that are in no table.
func checkRooms(all []pkg) (faults []string) {
	for _, p := range all {
		if _, ok := rooms[p.room()]; ok || !p.ours() || within(p.room(), "cmd", "examples", "scripts", "internal/test") {
			continue
		}
		faults = append(faults, fmt.Sprintf("%s is not in the table of rooms: add it with its layer", p.ImportPath))
	}
	return faults
}

// checkLayers finds imports that go upward, or sideways without a word.
func checkLayers(all []pkg) (faults []string) {
	for _, p := range all {
		from, ok := rooms[p.room()]
		if !ok || !p.ours() {
			continue
		}
		for _, path := range p.Imports {
			to, ok := rooms[roomOf(path)]
			if !ok || !strings.HasPrefix(path, module) || to < from || to == from && mayImportBeside(p.room(), roomOf(path)) {
				continue
			}
			faults = append(faults, fmt.Sprintf("%s (layer %d) imports %s (layer %d): imports go downward", p.room(), from, roomOf(path), to))
		}
	}
	return faults
}

func mayImportBeside(from, to string) bool {
	return slices.Contains(vocabulary, to) || strings.HasPrefix(from, to+"/") || slices.Contains(siblings[from], to)
}

// checkWalls finds our own packages behind a wall, however they are reached.
func checkWalls(all []pkg) (faults []string) {
	for _, p := range all {
		for _, w := range walls {
			if !p.ours() || p.room() != w.from {
				continue
			}
			for _, path := range p.Deps {
				room := roomOf(path)
				if !strings.HasPrefix(path, module) || w.only == nil && !slices.Contains(w.never, room) || w.only != nil && slices.Contains(w.only, room) {
					continue
				}
				faults = append(faults, fmt.Sprintf("%s depends on %s: %s", w.from, room, w.why))
			}
		}
	}
	return faults
}

// checkImporters finds imports by rooms that may not.
func checkImporters(all []pkg) (faults []string) {
	for _, p := range all {
		for _, path := range p.Imports {
			rule, ok := importers[roomOf(path)]
			if ok && p.ours() && p.production() && !slices.Contains(rule.by, p.room()) {
				faults = append(faults, fmt.Sprintf("%s imports %s: %s", p.room(), roomOf(path), rule.why))
			}
		}
	}
	return faults
}

func checkStd(all []pkg) (faults []string) {
	for _, p := range all {
		for _, rule := range std {
			if !p.ours() || !slices.Contains(rule.rooms, p.room()) {
				continue
			}
			for _, path := range p.Imports {
				if slices.Contains(rule.packages, path) {
					faults = append(faults, fmt.Sprintf("%s imports %s: %s", p.room(), path, rule.why))
				}
			}
		}
	}
	return faults
}

// checkThirdParty finds modules imported where they should not be, and modules
// that no table knows.
func checkThirdParty(all []pkg) (faults []string) {
	for _, p := range all {
		if !p.ours() {
			continue
		}
		for _, path := range p.Imports {
			first, _, _ := strings.Cut(path, "/")
			if !strings.Contains(first, ".") { // ours or standard
				continue
			}
			name, known := "", false
			for m := range thirdParty {
				if within(path, m) && len(m) > len(name) {
					name, known = m, true
				}
			}
			rule := thirdParty[name]
			switch {
			case !known:
				faults = append(faults, fmt.Sprintf("%s imports %s: add it to the table of third parties with its rooms and why", p.room(), path))
			case rule.by != nil && !within(p.room(), rule.by...):
				faults = append(faults, fmt.Sprintf("%s imports %s: %s", p.room(), path, rule.why))
			}
		}
	}
	return faults
}

func checkAbsent(all []pkg) (faults []string) {
	for _, p := range all {
		if p.room() != "cmd/clined" || !p.ours() {
			continue
		}
		for _, path := range p.Deps {
			for m, why := range absent {
				if within(path, m) {
					faults = append(faults, fmt.Sprintf("the binary holds %s: %s", path, why))
				}
			}
		}
	}
	return faults
}

// checkTestImports finds code of the product that depends on code for tests.
func checkTestImports(all []pkg) (faults []string) {
	for _, p := range all {
		for _, path := range p.Deps {
			if p.ours() && !within(p.room(), "internal/test") && within(path, module+"internal/test") {
				faults = append(faults, fmt.Sprintf("%s depends on %s, which is for tests", p.ImportPath, path))
			}
		}
	}
	return faults
}

// A check that finds nothing in the real packages must find what is wrong in
// these.
func TestChecksFindFaults(t *testing.T) {
	main := &struct{ Main bool }{true}
	ours := func(room string, imports ...string) []pkg {
		path := module + room
		if _, ok := rooms[room]; ok || room == "newroom" {
			path = module + "internal/" + room
		}
		return []pkg{{ImportPath: path, Imports: imports, Deps: imports, Module: main}}
	}
	tests := []struct {
		name  string
		check check
		good  []pkg
		bad   []pkg
	}{
		{"unknown room", checkRooms, ours("agent"), ours("newroom")},
		{"upward", checkLayers, ours("prompt", "clined/internal/llm"), ours("prompt", "clined/internal/agent")},
		{"sideways", checkLayers, ours("shell", "clined/internal/tools"), ours("shell", "clined/internal/mcphub")},
		{"parent", checkLayers, ours("prompt/host", "clined/internal/prompt"), ours("prompt", "clined/internal/prompt/host")},
		{"agent and protocol", checkWalls, ours("agent", "clined/internal/event"), ours("agent", "clined/internal/protocol")},
		{"console and agent", checkWalls, ours("console", "clined/internal/event"), ours("console", "clined/internal/agent")},
		{"rpc and anything", checkWalls, ours("rpc", "io"), ours("rpc", "clined/internal/event")},
		{"daemon", checkImporters, ours("cmd/clined", "clined/internal/daemon"), ours("server", "clined/internal/daemon")},
		{"agent and os", checkStd, ours("agent", "context"), ours("agent", "os")},
		{"mcp-go", checkThirdParty, ours("examples/weather/server", "github.com/mark3labs/mcp-go/mcp"), ours("tools", "github.com/mark3labs/mcp-go/mcp")},
		{"new module", checkThirdParty, ours("shell", "mvdan.cc/sh/v3/syntax"), ours("shell", "example.org/x")},
		{"grpc", checkAbsent, ours("cmd/clined", "net/http"), ours("cmd/clined", "google.golang.org/grpc/codes")},
		{"test code", checkTestImports, ours("internal/test/scenario", "clined/internal/test/fakellm"), ours("demo", "clined/internal/test/fakellm")},
	}
	for _, tt := range tests {
		if faults := tt.check(tt.good); len(faults) != 0 {
			t.Errorf("%s: the good one is refused: %v", tt.name, faults)
		}
		if faults := tt.check(tt.bad); len(faults) != 1 {
			t.Errorf("%s: %v", tt.name, faults)
		}
	}
}
