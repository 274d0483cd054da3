package server

import (
	"clined/internal/fileuri"
	"clined/internal/protocol"
	"clined/internal/tools"
)

// subjectTypes are the wire's names of what an action is about.
var subjectTypes = map[tools.Kind]string{
	tools.Read: "fileRead", tools.Edit: "fileEdit", tools.Command: "command", tools.MCP: "mcp",
}

// subject shows a subject to the editor, whole: the user decides on what they see.
func subject(s *tools.Subject) protocol.Subject {
	out := protocol.Subject{
		Type: subjectTypes[s.Kind], Command: s.Command, Cwd: s.Cwd,
		Sandbox: s.Sandbox, Unsandboxed: s.Unsandboxed, Interactive: s.Interactive, Timeout: s.Timeout,
		Server: s.Server, Tool: s.MCPTool, Args: s.Args,
	}
	for _, p := range s.Paths {
		out.Paths = append(out.Paths, subjectPath(p))
	}
	for i, e := range s.Edits {
		file := protocol.SubjectEdit{
			SubjectPath: subjectPath(e.Path), Op: e.Op, BaseText: e.Base, NewText: e.Proposed, Diff: e.Diff, Hunks: wireHunks(i, e),
		}
		if e.To != nil {
			to := subjectPath(*e.To)
			file.To = &to
		}
		out.Files = append(out.Files, file)
	}
	return out
}

func subjectPath(p tools.Path) protocol.SubjectPath {
	out := protocol.SubjectPath{Path: p.Abs, URI: fileuri.FromPath(p.Abs), Outside: p.Outside, Protected: p.Protected}
	if p.Real != p.Abs {
		out.Real = p.Real
	}
	return out
}
