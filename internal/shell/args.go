package shell

import (
	"encoding/base64"
	"slices"
	"strings"
	"unicode/utf16"
)

// family is how a shell takes a line.
type family int

const (
	posix      family = iota // NAME -c LINE
	powershell               // NAME … -EncodedCommand BASE64
	cmdExe                   // NAME /d /s /c "LINE", as it stands
)

// familyOf tells by a program's name, with / or \ in its path.
func familyOf(path string) family {
	switch programName(path) {
	case "powershell", "pwsh", "powershell-preview", "pwsh-preview":
		return powershell
	case "cmd":
		return cmdExe
	}
	return posix
}

// programName takes / and \ for separators, and leaves what Windows adds.
func programName(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	return strings.TrimSuffix(strings.ToLower(name), ".exe")
}

// shellArgs are the arguments, after the name, with which a shell runs line.
// Those of cmd.exe, which follows no rules of quoting, are one that must be
// passed on as it stands.
func shellArgs(path, line string) []string {
	switch familyOf(path) {
	case powershell:
		return []string{"-NoLogo", "-NoProfile", "-NonInteractive", "-EncodedCommand", encodeCommand(powershellLine(line))}
	case cmdExe:
		return []string{`/d /s /c "` + line + `"`}
	}
	if strings.HasPrefix(line, "-") || strings.HasPrefix(line, "+") {
		line = " " + line // or it is taken for options
	}
	return []string{"-c", line}
}

// powershellLine adds to a line what makes its exit code and text ours: without
// it PowerShell exits with 1 for any failing program, writes in the code page of
// the console, and draws progress bars.
func powershellLine(line string) string {
	return "$ProgressPreference='SilentlyContinue';" +
		"try{[Console]::OutputEncoding=[Text.UTF8Encoding]::new($false)}catch{};" +
		"$global:LASTEXITCODE=0\n" + line +
		"\nif(-not $?){if($LASTEXITCODE){exit $LASTEXITCODE};exit 1};exit $LASTEXITCODE"
}

// encodeCommand is the form of -EncodedCommand: UTF-16LE in base64. Nothing in
// it needs quoting.
func encodeCommand(line string) string {
	units := utf16.Encode([]rune(line))
	b := make([]byte, 0, 2*len(units))
	for _, u := range units {
		b = append(b, byte(u), byte(u>>8))
	}
	return base64.StdEncoding.EncodeToString(b)
}

// Reads tells whether a shell is known to take lines as the policy's parser
// reads them; the policy takes for unclear where these shells differ.
func Reads(path string) bool { return slices.Contains(linewise, programName(path)) }
