package approval

import (
	"context"
	"testing"

	"clined/internal/tools"
)

// Who is asked is told whether allowing the kind would have kept them from it.
func TestRequestSaysThatItAsksAnyway(t *testing.T) {
	outside := tools.Path{Abs: "/elsewhere/a", Real: "/elsewhere/a", Display: "/elsewhere/a", Outside: true}
	for _, c := range []struct {
		name    string
		subject tools.Subject
		anyway  bool
	}{
		{"reading", read(inside("a")), false},
		{"reading outside", read(outside), true},
		{"a command", tools.Subject{Kind: tools.Command, Command: "make", Cwd: "/w"}, false},
		{"a command that a rule asks about", tools.Subject{Kind: tools.Command, Command: "rm a", Cwd: "/w"}, true},
		{"without the sandbox", tools.Subject{Kind: tools.Command, Command: "make", Cwd: "/w", Unsandboxed: true}, true},
		{"an MCP tool", tools.Subject{Kind: tools.MCP, Server: "s", MCPTool: "t", SchemaHash: "h"}, false},
	} {
		asked := false
		g := gate(approver(func(_ context.Context, r Request) (Answer, error) {
			if asked = true; r.Anyway != c.anyway {
				t.Errorf("%s: asks anyway: %v", c.name, r.Anyway)
			}
			return Answer{}, ErrNobody
		}), Settings{Ask: []Rule{{Kind: tools.Command, Verdict: Ask, Commands: [][]string{{"rm"}}}}})
		g.Run(t.Context(), &fake{subject: c.subject}, tools.Call{ID: "1", Name: "x"})
		if !asked {
			t.Errorf("%s: nobody was asked", c.name)
		}
	}
}
