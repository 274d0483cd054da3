package server

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"clined/internal/protocol"
	"clined/internal/rpc"
)

// Initialize negotiates and opens the session.
func (s *server) Initialize(_ context.Context, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	if isInteger(p.ProtocolVersion) {
		return nil, rpc.Errorf(rpc.CodeInvalidParams,
			"this is the handshake of the Agent Client Protocol, which this build of clined does not speak; use LSP's initialize").
			WithData(map[string]any{"protocol": supported()})
	}
	own := p.Capabilities.Experimental.Clined
	version, err := negotiate(own)
	if err != nil {
		return nil, err
	}
	spec := SessionSpec{Settings: section(p.InitializationOptions), Client: clientName(p), End: s.end, Untrusted: s.trust.add}
	if p.ProcessID != nil && *p.ProcessID > 0 {
		spec.ProcessID = *p.ProcessID
	}
	if p.Capabilities.Workspace.ApplyEdit {
		spec.Editor = s.edits
		s.edits.operations = p.Capabilities.Workspace.WorkspaceEdit.ResourceOperations
	}
	s.roots.set(firstFolders(p))
	spec.Roots = s.roots.paths()
	session, err := s.o.Backend.Open(s.ctx, spec)
	if err != nil {
		return nil, rpc.Errorf(rpc.CodeInternalError, "%v", err)
	}
	s.session, s.workspace = session, session.Workspace()
	s.encoding = protocol.ChooseEncoding(p.Capabilities.General.PositionEncodings)
	s.window = p.Capabilities.Window
	if own != nil {
		s.native, s.caps = true, own.Caps
		if s.caps.DiagnosticsPull != nil {
			s.workspace.AskFor(checker{s})
		}
	}
	s.setPhase(running)
	return s.announce(version), nil
}

func (s *server) announce(version int) *protocol.InitializeResult {
	r := &protocol.InitializeResult{ServerInfo: protocol.ServerInfo{Name: "clined", Version: s.o.Version}}
	c := &r.Capabilities
	c.PositionEncoding = string(s.encoding)
	c.TextDocumentSync = protocol.SyncOptions{OpenClose: true, Change: 2, Save: true}
	c.Workspace.WorkspaceFolders.Supported = true
	c.Workspace.WorkspaceFolders.ChangeNotifications = true
	if !s.native {
		// Editors make commands of their own of these, which a plugin of ours has already.
		c.ExecuteCommandProvider = &protocol.ExecuteCommandOptions{Commands: commandNames()}
		return r
	}
	own := &protocol.ClinedServer{Protocol: version, Version: s.o.Version}
	for _, m := range protocol.ServerMethods() {
		if strings.HasPrefix(m.Name, "clined/") {
			own.Methods = append(own.Methods, m.Name)
		}
	}
	c.Experimental = &protocol.ServerExtended{Clined: own}
	return r
}

func supported() protocol.ProtocolRange {
	return protocol.ProtocolRange{Min: protocol.Version, Max: protocol.Version}
}

// negotiate picks the newest version both sides speak. A client that names
// none speaks the first.
func negotiate(c *protocol.ClinedClient) (int, error) {
	if c == nil {
		return 0, nil
	}
	r := c.Protocol
	if r == (protocol.ProtocolRange{}) {
		r = protocol.ProtocolRange{Min: 1, Max: 1}
	}
	ours := supported()
	if chosen := min(r.Max, ours.Max); chosen >= max(r.Min, ours.Min) {
		return chosen, nil
	}
	older := "the editor plugin"
	if r.Min > ours.Max {
		older = "clined"
	}
	return 0, rpc.Errorf(rpc.CodeInvalidParams, "the editor speaks protocol %d to %d, this clined %d to %d; update %s",
		r.Min, r.Max, ours.Min, ours.Max, older).WithData(map[string]any{"protocol": ours})
}

func isInteger(raw json.RawMessage) bool {
	_, err := strconv.ParseInt(string(bytes.TrimSpace(raw)), 10, 64)
	return err == nil
}

// section returns the object `clined` of settings, nil when there is none.
func section(raw json.RawMessage) json.RawMessage {
	var all struct {
		Clined json.RawMessage `json:"clined"`
	}
	if raw == nil || json.Unmarshal(raw, &all) != nil || !bytes.HasPrefix(bytes.TrimSpace(all.Clined), []byte("{")) {
		return nil
	}
	return all.Clined
}

func clientName(p *protocol.InitializeParams) string {
	if c := p.ClientInfo; c != nil {
		return strings.TrimSpace(c.Name + " " + c.Version)
	}
	if c := p.Capabilities.Experimental.Clined; c != nil {
		return strings.TrimSpace(c.Client.Name + " " + c.Client.Version)
	}
	return ""
}

// Initialized registers nothing: that is in the answer to initialize. The user may
// be asked from now on.
func (s *server) Initialized(context.Context, *protocol.Empty) error {
	s.trust.begin()
	return nil
}

// Shutdown stops the tasks; only exit may follow. It counts once it is
// answered, so that an exit right behind it does not cut the answer off.
func (s *server) Shutdown(ctx context.Context, _ *protocol.Empty) (*protocol.Null, error) {
	s.closeTasks()
	rpc.AfterReply(ctx, func() { s.setPhase(shutDown) })
	return &protocol.Null{}, nil
}

// Exit ends the session.
func (s *server) Exit(context.Context, *protocol.Empty) error {
	s.exited.Do(func() { close(s.exit) })
	return nil
}

// end ends the session from this side.
func (s *server) end(why string) {
	s.exited.Do(func() {
		s.log.Warn("the session ends", "why", why)
		close(s.exit)
	})
}

// SetTrace is accepted as LSP demands; there is no trace to switch.
func (s *server) SetTrace(context.Context, *protocol.SetTraceParams) error { return nil }
