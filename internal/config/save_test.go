package config

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const (
	saverEnv = "TEST_SAVE" // the path of a file, and which of the two processes this is
	changes  = 50
)

// The test binary is also a process that changes settings.
func TestMain(m *testing.M) {
	if path, who, ok := strings.Cut(os.Getenv(saverEnv), "|"); ok {
		os.Exit(saver(path, who))
	}
	os.Exit(m.Run())
}

// saver changes keys of its own, each to a value it has not had.
func saver(path, who string) int {
	mine := map[string][]string{"a": {"model", "plan.model", "limits.requests"}, "b": {"shell", "act.model", "commandTimeout"}}[who]
	for i := range changes {
		key := mine[i%len(mine)]
		var v any = fmt.Sprintf("%s%d", who, i)
		if strings.HasPrefix(key, "limits") || strings.HasPrefix(key, "command") {
			v = i + 1
		}
		if err := Save(context.Background(), path, key, v); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		s, problems := Merge(noEnv, first(FromFile(path, mustRead(path))))
		now := map[string]any{"model": s.Model.Model, "plan.model": s.Plan.Model, "limits.requests": s.Limits.Requests,
			"shell": s.Shell, "act.model": s.Act.Model, "commandTimeout": s.CommandTimeout}[key]
		if now != v || len(problems) != 0 {
			fmt.Fprintf(os.Stderr, "%s: %s is %v instead of %v, %v\n", who, key, now, v, problems)
			return 1
		}
	}
	return 0
}

func first(l Layer, _ []Problem) Layer { return l }

func mustRead(path string) []byte {
	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	return text
}

// Two processes that change settings at once lose nothing.
func TestSaveFromTwoProcesses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	write(t, path, "{\n  // mine\n  \"proxy\": \"http://p\",\n}\n")
	var both []*exec.Cmd
	for _, who := range []string{"a", "b"} {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), saverEnv+"="+path+"|"+who)
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		both = append(both, cmd)
	}
	for _, cmd := range both {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	text := string(mustRead(path))
	l, problems := FromFile(path, []byte(text))
	s, _ := Merge(noEnv, l)
	if s.Model.Model != "a48" || s.Plan.Model != "a49" || s.Limits.Requests != 48 || s.Shell != "b48" || s.Act.Model != "b49" || s.CommandTimeout != 48 ||
		s.Proxy != "http://p" || len(problems) != 0 || !strings.HasPrefix(text, "{\n  // mine\n  \"proxy\": \"http://p\",\n") {
		t.Errorf("%v\n%s", problems, text)
	}
	if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new", "settings.json")
	for _, v := range []string{"a", "b"} {
		if err := Save(t.Context(), path, "model", v); err != nil {
			t.Fatal(err)
		}
	}
	if got := string(mustRead(path)); got != "{\n  \"model\": \"b\"\n}\n" {
		t.Errorf("%q", got)
	}
	broken := filepath.Join(dir, "broken.json")
	write(t, broken, "{\n  \"model\": ]\n}")
	var p *Problem
	if err := Save(t.Context(), broken, "model", "m"); !errors.As(err, &p) || p.Error() != broken+":2:12: the file cannot be read: invalid character ']' at start of value" {
		t.Errorf("%v", err)
	}
	if got := string(mustRead(broken)); got != "{\n  \"model\": ]\n}" {
		t.Errorf("a broken file became %q", got)
	}
	if err := Save(t.Context(), dir, "model", "m"); !errors.As(err, &p) || !strings.Contains(p.Message, "no regular file") {
		t.Errorf("a folder: %v", err)
	}
}
