package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// newHome gives the command lines of a test one home, and returns it.
func newHome(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("CLINED_HOME", dir)
	return dir
}

func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestConfig(t *testing.T) {
	file := filepath.Join(newHome(t), "settings.json")
	ws := workspace(t)
	if r := command(t, "", "config", "get"); r.code != 0 || r.out != "" || !strings.Contains(r.err, "nothing is set") {
		t.Errorf("%+v", r)
	}
	put(t, file, "{\n  // mine\n  \"log\": {\"level\": \"info\"}, // why\n}\n")
	command(t, "", "config", "set", "model", "gpt-x").want(t, 0, []string{`model is "gpt-x" in ` + file}, nil)
	command(t, "", "config", "set", "autoApprove.command", "safe").want(t, 0, nil, nil)
	command(t, "", "config", "set", "permissions.deny", `["rm -rf"]`, "--workspace", "--cwd", ws).want(t, 0, []string{filepath.Join(ws, ".clined", "settings.json")}, nil)
	if got := text(t, file); got != "{\n  // mine\n  \"log\": {\"level\": \"info\"}, // why\n  \"model\": \"gpt-x\",\n  \"autoApprove\": {\n    \"command\": \"safe\"\n  },\n}\n" {
		t.Errorf("%s", got)
	}
	if r := command(t, "", "config", "get", "model"); r.out != "gpt-x\n" {
		t.Errorf("%q", r.out)
	}
	command(t, "", "config", "get", "log").want(t, 0, []string{`log.level = "info"  (` + file, "log.file = false\n"}, nil)
	command(t, "", "config", "get", "--cwd", ws).want(t, 0, []string{`permissions.deny = ["rm -rf"]  (` + ws, `autoApprove.command = "safe"`}, nil)
	command(t, "", "config", "unset", "log.level").want(t, 0, nil, nil)
	if got := text(t, file); strings.Contains(got, `"log"`) || !strings.Contains(got, "// why") {
		t.Errorf("%s", got)
	}
	command(t, "", "config", "unset", "model", "--workspace", "--cwd", t.TempDir()).want(t, 0, []string{"is not set"}, nil)

	misspelt := filepath.Join(ws, ".clined", "settings.json")
	if err := os.WriteFile(misspelt, []byte("{\n  \"modle\": \"x\",\n  \"model\": \"y\"\n}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	command(t, "", "config", "unset", "modle", "--workspace", "--cwd", ws).want(t, 0, []string{"modle is not set"}, nil)
	if got := text(t, misspelt); got != "{\n  \"model\": \"y\"\n}\n" {
		t.Errorf("%s", got)
	}
	command(t, "", "config", "unset", "modle", "--workspace", "--cwd", ws).want(t, 1, nil, []string{`no setting "modle"`, `did you mean "model"?`})

	command(t, "", "config", "set", "modle", "x").want(t, 1, nil, []string{`no setting "modle"`, `hint: did you mean "model"?`})
	command(t, "", "config", "get", "modle").want(t, 1, nil, []string{`did you mean "model"?`})
	command(t, "", "config", "set", "limits.cost", "much").want(t, 1, nil, []string{"a number from 0 to 1000000", "nothing was changed"})
	if r := command(t, "", "config", "set", "apiKey", "sk-CANARY"); r.code != 1 || strings.Contains(r.out+r.err, "CANARY") || !strings.Contains(r.err, "clined auth login") {
		t.Errorf("%+v", r)
	}
	t.Setenv("CLINED_MODEL", "over")
	command(t, "", "config", "set", "model", "y").want(t, 0, nil, []string{`"model" is still "over": it comes from the environment`})
	put(t, file, "{\n  \"model\": ]\n}")
	command(t, "", "config", "set", "shell", "/bin/sh").want(t, 1, nil, []string{file + ":2:12: the file cannot be read", "was not changed"})
	if text(t, file) != "{\n  \"model\": ]\n}" {
		t.Error("a broken file was written")
	}
}

func TestSchemaOfSettings(t *testing.T) {
	r := command(t, "", "schema", "settings")
	if r.code != 0 || !json.Valid([]byte(r.out)) || !strings.Contains(r.out, `"autoApprove"`) {
		t.Errorf("%+v", r)
	}
	command(t, "", "schema", "nonsense").want(t, 2, nil, []string{"protocol"})
}

func TestTrust(t *testing.T) {
	newHome(t)
	ws := workspace(t)
	file := filepath.Join(ws, ".clined", "settings.json")
	command(t, "", "trust", ws).want(t, 0, []string{"loosens nothing"}, nil)
	command(t, "", "trust", "/no/such/folder").want(t, 2, nil, []string{`clined: there is no folder "/no/such/folder"`})
	put(t, file, `{"model": "m", "autoApprove": {"edit": true}, "permissions": {"allow": ["a\u001b[2J\u202eb"]}}`)
	r := command(t, "", "trust", ws)
	r.want(t, 3, nil, []string{file + " would set", "autoApprove.edit = true", "change files of the workspace", "--yes"})
	for _, args := range [][]string{{"config", "get"}, {"doctor"}, {"run", "x"}} { // both keys are held back for one reason
		r := command(t, "", append(args, "--cwd", ws)...)
		told := strings.Join(strings.Fields(r.out+r.err), " ") // the doctor folds lines
		if strings.Count(told, "does not hold") != 2 || strings.Count(told, "clined trust "+ws) != 1 {
			t.Errorf("%q: %s", args, told)
		}
	}
	if strings.ContainsAny(r.err, "\x1b\u202e") {
		t.Errorf("the file steers the terminal: %q", r.err)
	}
	command(t, "", "config", "get", "autoApprove.edit", "--cwd", ws).want(t, 0, []string{"false"}, []string{"clined trust " + ws})
	command(t, "", "trust", "--list").want(t, 0, []string{"You trust no workspace"}, nil)
	command(t, "", "trust", "--yes", ws).want(t, 0, []string{"You trust " + ws}, nil)
	command(t, "", "trust", ws).want(t, 0, []string{"as it is now"}, nil)
	if r := command(t, "", "config", "get", "autoApprove.edit", "--cwd", ws); r.out != "true\n" || r.err != "" {
		t.Errorf("%+v", r)
	}
	put(t, file, `{"permissions": {"allow": ["a\u001b[2J\u202eb"]}, "autoApprove.edit": true, "model": "other"}`) // nothing new
	command(t, "", "trust", "--list").want(t, 0, []string{ws, "as it is now"}, nil)
	put(t, file, `{"autoApprove": {"edit": true, "mcp": true}}`) // as a pull may bring
	command(t, "", "config", "get", "autoApprove.edit", "--cwd", ws).want(t, 0, []string{"false"}, []string{"not trusted as it is now"})
	command(t, "", "trust", "--list").want(t, 0, []string{"changed since"}, nil)
	command(t, "", "trust", ws).want(t, 3, nil, []string{"since then these settings have changed"})
	command(t, "", "trust", "--remove", ws).want(t, 0, []string{"no longer"}, nil)
	command(t, "", "trust", "--remove", ws).want(t, 1, nil, []string{"is not trusted", "clined trust --list"})
	command(t, "", "trust", "--remove", "--list").want(t, 2, nil, []string{"clined trust --help"})
}

// interactive runs a command line in a terminal where somebody types.
func interactive(t *testing.T, types string, args ...string) (code int, out, screen string) {
	t.Helper()
	terminal, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	shown := make(chan string)
	go func() {
		var b bytes.Buffer
		_, _ = b.ReadFrom(terminal) // ends with an error when the other side is closed
		shown <- b.String()
	}()
	if _, err := terminal.WriteString(types); err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	code = run(&app{stdin: tty, stdout: &stdout, stderr: tty, args: args})
	tty.Close()
	screen = <-shown
	terminal.Close()
	return code, stdout.String(), screen
}

func TestTrustAsks(t *testing.T) {
	newHome(t)
	ws := workspace(t)
	put(t, filepath.Join(ws, ".clined", "settings.json"), `{"shell": "./evil"}`)
	for answer, want := range map[string]int{"\n": 1, "n\n": 1, "maybe\n": 1} {
		if code, out, screen := interactive(t, answer, "trust", ws); code != want || !strings.Contains(screen, `shell = "./evil"`) || !strings.Contains(screen, "[y/N]") || !strings.Contains(out, "not trusted") {
			t.Errorf("%q: %d, %s, %s", answer, code, out, screen)
		}
	}
	if code, out, _ := interactive(t, "y\n", "trust", ws); code != 0 || !strings.Contains(out, "You trust") {
		t.Errorf("yes: %d, %s", code, out)
	}
}

func TestAuth(t *testing.T) {
	const canary = "sk-CANARY"
	dir := newHome(t)
	t.Setenv("CLINED_MODEL", "m")
	command(t, "", "auth", "status").want(t, 1, []string{"openai at https://api.openai.com/v1: there is no API key", "clined auth login", "CLINED_HOME keeps everything"}, nil)
	r := command(t, " "+canary+"\n", "auth", "login")
	r.want(t, 0, []string{"openai at https://api.openai.com/v1 is stored in " + filepath.Join(dir, "secrets.json")}, nil)
	if strings.Contains(r.out+r.err, canary) || r.err != "" {
		t.Errorf("%+v", r)
	}
	r = command(t, "", "auth", "status")
	r.want(t, 0, []string{"act   openai at https://api.openai.com/v1: key from", "stored: openai@https://api.openai.com, in the file"}, nil)
	if strings.Contains(r.out+r.err, canary) {
		t.Errorf("%+v", r)
	}
	t.Setenv("OPENAI_API_KEY", "other")
	command(t, canary, "auth", "login").want(t, 0, nil, []string{"OPENAI_API_KEY goes before it", "clined config set apiKey keyring"})
	command(t, "", "config", "set", "apiKey", "keyring").want(t, 0, nil, nil)
	command(t, "", "auth", "status").want(t, 0, []string{"key from " + dir}, nil)
	command(t, canary, "auth", "login", "--provider", "ollama").want(t, 0, []string{"ollama at http://127.0.0.1:11434/v1"}, []string{"no mode of the settings uses ollama"})
	command(t, canary, "auth", "login", "--base-url", "https://gw.example/v1").want(t, 0, []string{"openai at https://gw.example/v1"}, []string{"clined config set baseUrl https://gw.example/v1"})
	command(t, canary, "auth", "login", "--base-url", "gw.example").want(t, 1, nil, []string{"http or https URL"})
	command(t, "", "auth", "login").want(t, 2, nil, []string{"no key was given"})
	if r := command(t, canary+"\nmore", "auth", "login"); r.code != 2 || strings.Contains(r.err, canary) {
		t.Errorf("%+v", r)
	}
	command(t, "", "auth", "logout").want(t, 0, []string{"is forgotten"}, nil)
	command(t, "", "auth", "logout").want(t, 1, nil, []string{"no stored key", "clined auth status"})
	if got := text(t, filepath.Join(dir, "secrets.json")); strings.Count(got, canary) != 2 {
		t.Errorf("%s", got)
	}
}

// In a terminal the key is asked for and not shown.
func TestAuthInATerminal(t *testing.T) {
	dir := newHome(t)
	t.Setenv("CLINED_MODEL", "m")
	code, out, screen := interactive(t, "", "auth", "status")
	if code != 1 {
		t.Errorf("%d, %s, %s", code, out, screen)
	}
	terminal, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	asked := make(chan struct{})
	shown := make(chan string)
	go func() {
		var b bytes.Buffer
		chunk := make([]byte, 1024)
		for first := true; ; {
			n, err := terminal.Read(chunk)
			b.Write(chunk[:n])
			if first && strings.Contains(b.String(), "not shown") {
				first = false
				close(asked)
			}
			if err != nil {
				shown <- b.String()
				return
			}
		}
	}()
	done := make(chan int)
	var stdout bytes.Buffer
	go func() {
		code := run(&app{stdin: tty, stdout: &stdout, stderr: tty, args: []string{"auth", "login"}})
		tty.Close()
		done <- code
	}()
	<-asked
	awaitNoEcho(t, tty)
	if _, err := terminal.WriteString("sk-CANARY\n"); err != nil {
		t.Fatal(err)
	}
	code, screen = <-done, <-shown
	if code != 0 || strings.Contains(screen+stdout.String(), "CANARY") || !strings.Contains(screen, "API key for openai at https://api.openai.com/v1") {
		t.Errorf("%d, %s, %q", code, stdout.String(), screen)
	}
	if !strings.Contains(text(t, filepath.Join(dir, "secrets.json")), "sk-CANARY") {
		t.Error("it was not stored")
	}
}
