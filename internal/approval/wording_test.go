package approval

import (
	"strings"
	"testing"

	"clined/internal/tools"
)

// A reason names what was found, as it can be recognised, and the graver thing
// first.
func TestReasonsNameWhatIsFound(t *testing.T) {
	p := Policy{
		Settings: Settings{Command: AllCommands}, Home: "/home/me",
		Hidden:   func(w string) bool { return w == "*" || w == ".env" || w == "/ws/.env" },
		HiddenAs: func(w string) string { return map[string]string{"*": ".env"}[w] },
		Paths: func(name string) ([]string, bool) {
			return []string{strings.Replace(name, "/tmp/..", "", 1)}, name != "/lnk/../x"
		},
		Protected: func(w string) string { return when(strings.HasSuffix(w, "/.bashrc"), "it is run") },
	}
	for line, want := range map[string]string{
		"rm -rf *": `names ".env" by "*", which the ignore file hides.`, "cat .env": `names ".env", which the ignore file hides.`, "cat a/../.env": `names "a/../.env", which may lead`, "cat /tmp/../ws/.env": "may lead", "cat /lnk/../x": "may lead",
		"echo x >> $HOME/.bashrc": `may change "~/.bashrc", which`, `rm "$HOME"/.bashrc`: `may change "~/.bashrc", which`, "rm $PWD/.bashrc": `may change "./.bashrc", which`, "rm /etc/.bashrc": `may change "/etc/.bashrc", which`, "rm /.bashrc; HOME=/x; rm $HOME/.bashrc": `may change "/.bashrc", which`,
		"echo x > /tmp/../opt/f": "",
	} {
		j := p.Judge(command(line), tools.Act)
		if (j.Verdict == Allow) != (want == "") || !strings.Contains(j.Reason, want) {
			t.Errorf("%q: %+v", line, j)
		}
	}
	p = Policy{Settings: Settings{Allow: written(t, "ls")}}
	for line, want := range map[string]string{
		"rm a > f": "`rm` changes files or the system. The command redirects to or from a file.", "ls > f": "The command redirects to or from a file.", "ls; rm a > f": "`rm` changes files or the system. The command redirects to or from a file.",
		"rm a > f &": "The command starts something in the background.",
	} {
		if j := p.Judge(command(line), tools.Act); j.Verdict != Ask || j.Reason != want {
			t.Errorf("%q: %+v", line, j)
		}
	}
}
