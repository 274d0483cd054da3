package mcphub_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clined/internal/mcphub"
	"clined/internal/test/fakemcp"
)

// The environment given by the daemon finds the command; a server's own
// variables are laid over it.
func TestEnvironment(t *testing.T) {
	bin := t.TempDir()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(exe, filepath.Join(bin, "npx")); err != nil {
		t.Fatal(err)
	}
	h := start(t, mcphub.Options{
		Workspace: bin,
		Env: func(context.Context) []string {
			return []string{"PATH=/usr/nowhere:" + bin, "KEPT=1", "OVER=base", "CANARY=sk-CANARY123", "GIVEN=sk-GIVEN456"}
		},
		Scrub: []string{"CANARY", "GIVEN"},
	}, servers{"s": fakemcp.Script{Tools: []fakemcp.Tool{{Name: "env", Env: true}}}.Entry(map[string]any{
		"command": "npx",
		"env":     map[string]string{"OVER": "own", "DIR": "${workspaceFolder}/x", "API": "a-${env:GIVEN}", "LOST": "${env:NOT_SET}", "OTHER": "${HOME}"},
	})})
	h.Servers(t.Context())
	got, _ := call(t, h, "s", "env", "{}")
	env := strings.Split(got, "\n")
	for _, want := range []string{"KEPT=1", "OVER=own", "DIR=" + bin + "/x", "API=a-sk-GIVEN456", "LOST=", "OTHER=${HOME}"} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is missing in %q", want, env)
		}
	}
	if strings.Contains(got, "CANARY123") || slices.ContainsFunc(env, func(s string) bool { return strings.HasPrefix(s, "GIVEN=") }) {
		t.Errorf("secrets were inherited: %q", env)
	}
	if w := status(t, h, "s").Warnings; !slices.Equal(w, []string{`its settings name the environment variable "NOT_SET", which is not set`}) {
		t.Errorf("warnings: %q", w)
	}
}

// Secrets that a server prints do not get into its log or errors.
func TestSecretsInOutput(t *testing.T) {
	h := start(t, mcphub.Options{
		Backoff: giveUp,
		Env: func(context.Context) []string {
			return append(os.Environ(), "SCRUBBED=sk-CANARY123", "GITHUB_TOKEN=abcdefghij")
		},
		Scrub: []string{"SCRUBBED"},
	}, servers{"s": fakemcp.Script{
		ExitAtStart: ptr(1),
		Stderr:      []string{"bad key sk-CANARY123", "or abcdefghij", "or own-secret-1"},
	}.Entry(map[string]any{"env": map[string]string{"MY_PASSWORD": "own-secret-1"}})})
	st := untilState(t, h, "s", mcphub.Down)
	contains(t, "error", st.Error, "bad key ***\nor ***\nor ***")
	if all := fmt.Sprint(st); strings.Contains(all, "CANARY") || strings.Contains(all, "abcdefghij") || strings.Contains(all, "own-secret") {
		t.Errorf("a secret shows in %s", all)
	}
}
