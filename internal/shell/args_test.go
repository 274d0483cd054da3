package shell

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

func TestShellArgs(t *testing.T) {
	for _, c := range []struct {
		path, line string
		want       []string
	}{
		{"/bin/sh", "ls", []string{"-c", "ls"}},
		{"/usr/bin/fish", "-x", []string{"-c", " -x"}},
		{"bash", "+x", []string{"-c", " +x"}},
		{`C:\Program Files\Git\bin\bash.exe`, `echo "a b"`, []string{"-c", `echo "a b"`}},
		{`C:\Windows\System32\cmd.exe`, `echo "a b" & dir`, []string{`/d /s /c "echo "a b" & dir"`}},
		{`CMD`, `x`, []string{`/d /s /c "x"`}},
	} {
		if got := shellArgs(c.path, c.line); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.path, got, c.want)
		}
	}
}

// What PowerShell is given needs no quoting, whatever the line is.
func TestPowerShellArgs(t *testing.T) {
	for _, path := range []string{`C:\Program Files\PowerShell\7\pwsh.exe`, `C:\Windows\System32\WindowsPowerShell\v1.0\POWERSHELL.EXE`, "/usr/bin/pwsh"} {
		for _, line := range []string{"ls", `Write-Output "it's 'quoted' $x"`, "a\nb", "é 日本 🙂", "# a comment at the end", `dir "C:\a b\"`, "-x"} {
			args := shellArgs(path, line)
			last := len(args) - 1
			if args[last-1] != "-EncodedCommand" || !slices.Contains(args, "-NonInteractive") || !slices.Contains(args, "-NoProfile") || strings.ContainsAny(args[last], " \"'\\\n") {
				t.Fatalf("%q", args)
			}
			b, err := base64.StdEncoding.DecodeString(args[last])
			if err != nil || len(b)%2 != 0 {
				t.Fatal(err)
			}
			var units []uint16
			for i := 0; i < len(b); i += 2 {
				units = append(units, uint16(b[i])|uint16(b[i+1])<<8)
			}
			got := string(utf16.Decode(units))
			if !strings.Contains(got, "\n"+line+"\n") || !strings.HasSuffix(got, "exit $LASTEXITCODE") {
				t.Errorf("%q", got)
			}
		}
	}
}

func TestPlainCaret(t *testing.T) {
	for setting, want := range map[string]bool{"/bin/sh": true, "sh": true, "none/bash": false, "cat": false, "ls": false} { // what is not there decides nothing
		if got := PlainCaret(setting, nil); got != want {
			t.Errorf("%q: %v", setting, got)
		}
	}
}

func TestForeign(t *testing.T) {
	for setting, want := range map[string]string{
		"": "", "/bin/sh": "", "sh": "", "none/fish": "", `C:\Git\bin\bash.exe`: "", "BASH.EXE": "",
		"pwsh": "pwsh", "/opt/pwsh-preview": "pwsh-preview", `C:\Windows\System32\cmd.exe`: "cmd", "powershell.exe": "powershell", "/bin/tcsh": "tcsh", "nu": "nu", "bash/x": "x",
	} {
		if got := Foreign(setting, []string{"SHELL=/bin/tcsh"}); got != want {
			t.Errorf("%q: %q", setting, got)
		}
	}
}
