package scenario

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"clined/internal/rpc"
	"clined/internal/test/fakeeditor"
)

func (s *Stage) connectEditor() {
	if s.Editor == nil {
		s.Editor = fakeeditor.Connect(s.ctx, s.t, s.daemon, rpc.Header)
	}
}

// initialize does the handshake of an editor that can do everything; words of
// JSON replace members of its params.
func (s *Stage) initialize(args []string) error {
	s.initialized = true
	s.connectEditor()
	params := map[string]any{}
	if err := json.Unmarshal([]byte(s.expand(defaultInitialize)), &params); err != nil {
		return err
	}
	if caps := s.diffCapability(); caps != nil {
		own := params["capabilities"].(map[string]any)["experimental"].(map[string]any)["clined"].(map[string]any)
		own["caps"].(map[string]any)["diffView"] = caps
	}
	if s.checks.Pull {
		own := params["capabilities"].(map[string]any)["experimental"].(map[string]any)["clined"].(map[string]any)
		own["caps"].(map[string]any)["diagnosticsPull"] = map[string]any{}
	}
	s.Editor.HaveChecks(s.checks)
	if s.resources.Kinds != nil {
		params["capabilities"].(map[string]any)["workspace"].(map[string]any)["workspaceEdit"] = map[string]any{
			"documentChanges": true, "resourceOperations": s.resources.Kinds,
		}
		s.Editor.HaveResources(s.resources)
	}
	if s.nativeWindows != nil {
		params["capabilities"].(map[string]any)["window"] = windowCaps(*s.nativeWindows)
		s.Editor.HaveWindows(*s.nativeWindows, false)
	}
	if err := s.addJSON(params, args); err != nil {
		return err
	}
	s.lastResult, s.lastError = s.Editor.Call(s.ctx, "initialize", params)
	if s.lastError != nil {
		if len(args) > 0 {
			return nil // the story looks at the failure
		}
		return s.lastError
	}
	return s.Editor.Notify("initialized", struct{}{})
}

const defaultInitialize = `{
	"processId": null,
	"clientInfo": {"name": "fakeeditor", "version": "1"},
	"workspaceFolders": [{"uri": "file://$WS", "name": "ws"}],
	"capabilities": {
		"workspace": {"applyEdit": true, "workspaceFolders": true},
		"experimental": {"clined": {
			"protocol": {"min": 1, "max": 1},
			"client": {"name": "fakeeditor", "version": "1", "instanceId": "one"},
			"caps": {"approvals": {"feedback": {}, "editedContent": {}}, "asks": {}, "editorState": {}, "transcript": {}}
		}}
	}
}`

// noHandshake leaves the connection to raw and call verbs: "connect raw" for
// bytes, "connect" for requests without a handshake.
func (s *Stage) noHandshake(args []string) error {
	s.initialized = true
	if len(args) > 0 && args[0] == "raw" {
		s.reader = bufio.NewReader(s.daemon)
		return nil
	}
	s.connectEditor()
	return nil
}

func (s *Stage) raw(args []string) error {
	_, err := io.WriteString(s.daemon, s.expand(args[0]))
	return err
}

// reads takes the next message off the stream, in whichever framing it comes.
func (s *Stage) reads(args []string) error {
	line, err := s.reader.ReadString('\n')
	if err != nil {
		return err
	}
	text := line
	if strings.HasPrefix(line, "Content-Length:") {
		n, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(line, "Content-Length:")))
		if err != nil {
			return err
		}
		if _, err := s.reader.ReadString('\n'); err != nil {
			return err
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(s.reader, body); err != nil {
			return err
		}
		text = string(body)
	}
	return hasParts("the message", text, s.expandAll(args))
}

// exited closes our end, if that is still open, and looks at the exit code.
func (s *Stage) exited(args []string) error {
	s.gone = true
	if s.Editor != nil {
		select {
		case <-s.Editor.Done():
		case <-s.ctx.Done():
			return errors.New("the daemon goes on")
		}
	}
	if code := strconv.Itoa(s.daemon.Wait()); code != args[0] {
		return fmt.Errorf("it ended with code %s", code)
	}
	return nil
}
