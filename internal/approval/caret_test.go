package approval

import (
	"testing"

	"clined/internal/tools"
)

// A "^" that begins a word is a letter for sh and bash, and may be a pattern or
// a redirection for others.
func TestPlainCaret(t *testing.T) {
	p := Policy{Settings: Settings{Allow: written(t, "go test", "ls", "grep")}}
	plain := p
	plain.PlainCaret = true
	for _, line := range []string{"go test -run ^TestFoo$ ./pkg", "go test -run ^Test'Foo' .", `go test -run ^"Foo" .`, "(go test -run ^TestFoo$ ./...) 2>&1 | grep ^ok"} {
		if j := plain.Judge(command(line), tools.Act); j.Verdict != Allow {
			t.Errorf("%q: %+v", line, j)
		}
		if j := p.Judge(command(line), tools.Act); j.Verdict != Ask {
			t.Errorf("%q where it may be a pattern: %+v", line, j)
		}
	}
	for _, line := range []string{
		"go test -run ^$X .", "go test -run ^* .", "go test -run ^{a,-exec} .", "go test ^$(ls)", "go test -exec ^x .", "^ls", "^go test", "ls; ^rm x", "go test ^../x/../../y", "go test -run ^Test[a-z] .", `go test -run ^\x .`, "make ^x",
		"go test -run ^Foo$ . > x", "go test -run ^Foo$ & ls",
	} {
		if j := plain.Judge(command(line), tools.Act); j.Verdict == Allow {
			t.Errorf("%q: %+v", line, j)
		}
	}
	foreign := plain
	foreign.ForeignShell = "pwsh"
	if j := foreign.Judge(command("go test -run ^Foo$ ."), tools.Act); j.Verdict != Ask {
		t.Errorf("%+v", j)
	}
}
