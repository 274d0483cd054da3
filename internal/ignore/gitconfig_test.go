package ignore

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What git takes is read as git reads it.
func TestConfigSyntaxAsGit(t *testing.T) {
	for i, text := range []string{
		"[core]\n\texcludesFile = ~/x\n", "[CORE] ExcludesFile=a b  \n", "[core]\nexcludesfile = \"a # b\" # c\n", "[core]\nexcludesfile = a;b\n", "[core]\r\nexcludesfile = x\r\n",
		"[core]\nignorecase\nexcludesfile =\n", "[core]\nexcludesfile = a\\\n  b\n", "[core]\nexcludesfile = \"a\\\"b\\\\c\\td\"e f\n", "; c\n# d\n[core] # e\nexcludesfile = x # y\nignorecase = true\n",
		"\ufeff[core]\nexcludesfile = x\n", "[includeIf \"gitdir:~/a \\\"b\\\\\"]\npath = y\n", "[a.b]\nc = d\n[core]\nexcludesfile = x", "[core]\nexcludesfile = \"  lead\"  \" tail \"  \n",
		"[x \"]\"]\ny = z\n", "[core]excludesfile = x\n[core]\n\n\n  excludesfile\t=\ty\n", "[extensions]\nworktreeConfig = yes\n",
	} {
		path := filepath.Join(t.TempDir(), "config")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("git", "config", "--file", path, "--list", "-z").Output()
		if err != nil {
			t.Fatalf("%d %q: git: %v", i, text, err)
		}
		var got strings.Builder
		scanConfig(text, func(section, sub, key, value string) {
			if sub != "" {
				section += "." + sub
			}
			fmt.Fprintf(&got, "%s.%s\n%s\x00", section, key, value)
		})
		// git leaves the value out of what has no "=".
		if want := strings.ReplaceAll(string(out), "ignorecase\x00", "ignorecase\ntrue\x00"); got.String() != want {
			t.Errorf("%q\ngot  %q\nwant %q", text, got.String(), want)
		}
	}
	for _, text := range []string{"[", "[core", "[core]\n=\n", "[core \"x", "[core]\nexcludesfile = \"x", "[core]\nexcludesfile = x\\", "x = y", "\x00", "[a \"b\\"} {
		scanConfig(text, func(string, string, string, string) {})
	}
}
