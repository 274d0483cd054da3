package workspace

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What the words of a command lead to.
func TestWordsOfCommands(t *testing.T) {
	dir := realOrClean(t.TempDir())
	root, out := filepath.Join(dir, "w"), filepath.Join(dir, "out")
	for name, text := range map[string]string{
		"w/.clineignore": "/svc/.env.prod\naudit/\n*.pem\n", "w/svc/.env.prod": "", "w/svc/main.go": "", "w/audit/a.log": "",
		"w/k.pem": "", "w/odd[1].txt": "", "out/secret": "",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{"env": "svc/.env.prod", "logs": "audit", "far": out, "loop": "loop", "near": "svc"} {
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	w := New(Options{Roots: []string{root}})
	for word, want := range map[string]struct{ hidden, outside bool }{
		"svc/.env.prod": {true, false}, "./svc/../svc/.env.prod": {true, false}, root + "/svc/.env.prod": {true, false},
		"svc/.env*": {true, false}, "svc/.env.pro?": {true, false}, "s*c/.env.prod": {true, false}, "*/.env.prod": {true, false}, "svc/.e[n]v.prod": {true, false},
		"svc/.e[!x]v.prod": {true, false}, "svc/.e[[:alpha:]]v.prod": {true, false}, "*/*/../.[a-z]nv.p?od": {true, false}, "[!x]*/.E*": {true, false}, "**": {true, true}, "svc/**/x": {true, true},
		"svc/.env.{prod,dev}": {true, false}, "{a,svc}/{.env.{x,prod},y}": {true, false}, "svc/.env.{a..z}rod": {true, false}, "{svc/main.go,svc/main.go}": {false, false}, "{}": {false, false}, "{x": {false, false},
		"svc/{.e,x": {false, false}, "{far,svc}/secret": {false, true}, strings.Repeat("{a,b}", 20): {true, true}, "a}{,": {false, false}, "{a}{svc,x}/.env.prod": {false, false},
		"audit": {true, false}, "audit/": {true, false}, "audit/a.log": {true, false}, "audit/none": {true, false}, "logs/a.log": {true, false}, "logs": {true, false},
		"env": {true, false}, "e*": {true, false}, "*.pem": {true, false}, "none.pem": {true, false},
		"svc/*":       {true, false}, // dot files count, which is on the safe side
		"svc/main.go": {false, false}, "near/main.go": {false, false}, "near/.env.prod": {true, false},
		"far": {false, true}, "far/secret": {false, true}, "far/none": {false, true}, "f*/secret": {false, true}, "f*": {false, true}, "loop": {false, true},
		"odd[1].txt": {false, false}, "[": {false, false}, "": {false, false}, out + "/secret": {false, false}, "../out/secret": {false, false}, "/etc/*": {false, false}, "*/*/*/*/*": {false, false},
	} {
		words := w.Words()
		if got := words.Hidden(word); got != want.hidden {
			t.Errorf("%q hidden: %v", word, got)
		}
		if got := words.Outside(word); got != want.outside {
			t.Errorf("%q outside: %v", word, got)
		}
	}
	for word, want := range map[string]string{
		"svc/.env*": "svc/.env.prod", "*/.env.prod": "near/.env.prod", "[e]nv": "env", root + "/svc/.e*": "svc/.env.prod", "svc/.env.prod": "", "env": "", "svc/m*": "", "**": "", "*.none": "",
	} {
		if got := w.Words().HiddenAs(word); got != want {
			t.Errorf("%q hides %q, want %q", word, got, want)
		}
	}
}
