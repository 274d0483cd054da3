package mcphub_test

import (
	"errors"
	"os/exec"
	"testing"

	"clined/internal/mcphub"
	"clined/internal/test/fakemcp"
)

// What confines a server sees its command as it will be started, and may change it.
func TestConfine(t *testing.T) {
	h := start(t, mcphub.Options{Confine: func(cmd *exec.Cmd) error {
		cmd.Env = append(cmd.Env, "HELD=1")
		return nil
	}}, servers{"s": fakemcp.Script{Tools: []fakemcp.Tool{{Name: "env", Env: true}}}.Entry(nil)})
	h.Servers(t.Context())
	got, _ := call(t, h, "s", "env", "{}")
	contains(t, "environment", got, "HELD=1")
}

// A server that cannot be confined as it must be is not started, and says why.
func TestConfineRefuses(t *testing.T) {
	h := start(t, mcphub.Options{Backoff: giveUp, Confine: func(*exec.Cmd) error {
		return errors.New("the sandbox is required, and this system has none")
	}}, servers{"s": fakemcp.Script{}.Entry(nil)})
	st := untilState(t, h, "s", mcphub.Down)
	contains(t, "error", st.Error, "the sandbox is required, and this system has none")
}
