package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"clined/internal/test/fakeeditor"
)

// plainVerbs are what the user of a plain LSP client does and sees, and native
// ones of LSP's windows.
var plainVerbs = map[string]verb{
	"plain":             {"[messages|documents|progress]… [PARAMS-JSON]: the handshake of a plain LSP client with these windows", 0, (*Stage).bePlain},
	"windows":           {"[messages|documents|progress]…: the editor has these windows of LSP (before the handshake)", 0, (*Stage).haveWindows},
	"command":           {"NAME [JSON|WORD]…: run a command; its answer is checked by the next lines", 1, (*Stage).command},
	"message":           {"PART…: the next message with actions has these parts", 1, (*Stage).message},
	"message-lacks":     {"PART…: that message has none of these parts, in its actions neither", 1, (*Stage).messageLacks},
	"act":               {"TITLE-PART: answer that message by an action", 1, (*Stage).act},
	"message-reply":     {"JSON: answer that message with any JSON", 1, (*Stage).messageReply},
	"message-left":      {": that message is left open", 0, (*Stage).messageLeft},
	"message-withdrawn": {": that message was called back", 0, (*Stage).messageWithdrawn},
	"no-messages":       {": messages with actions turn out to be an unknown method", 0, (*Stage).noMessages},
	"no-progress":       {": the editor refuses every progress that is to be made", 0, (*Stage).noProgress},
	"progress-refused":  {": it has refused one", 0, (*Stage).progressRefused},
	"unseen":            {": no document and no progress was shown so far", 0, (*Stage).unseen},
	"told":              {"PART…: one of the sentences shown, or logged by the editor, has these parts", 1, (*Stage).told},
	"document":          {"PART: that document was asked to be shown", 1, (*Stage).document},
	"progress":          {"begin|report|end|any PART…: a progress said so", 1, (*Stage).progressed},
	"progress-cancel":   {": the user stops what the progress shows", 0, (*Stage).progressCancel},
	"transcript":        {"has|lacks|ends TEXT…: the task's Markdown file comes to be so", 2, (*Stage).transcriptFile},
}

const plainInitialize = `{
	"processId": null,
	"workspaceFolders": [{"uri": "file://$WS", "name": "ws"}],
	"capabilities": {
		"workspace": {"applyEdit": true, "workspaceFolders": true},
		"textDocument": {"synchronization": {"didSave": true}}
	}
}`

func (s *Stage) bePlain(args []string) error {
	s.initialized, s.plainArgs = true, append([]string{}, args...)
	s.connectEditor()
	params := map[string]any{}
	if err := json.Unmarshal([]byte(s.expand(plainInitialize)), &params); err != nil {
		return err
	}
	if n := len(args); n > 0 && strings.HasPrefix(args[n-1], "{") {
		if err := s.addJSON(params, args[n-1:]); err != nil {
			return err
		}
		args = args[:n-1]
	}
	w, err := windowsOf(args)
	if err != nil {
		return err
	}
	s.Editor.HaveWindows(w, true)
	params["capabilities"].(map[string]any)["window"] = windowCaps(w)
	if s.lastResult, s.lastError = s.Editor.Call(s.ctx, "initialize", params); s.lastError != nil {
		return s.lastError
	}
	return s.Editor.Notify("initialized", struct{}{})
}

func windowsOf(words []string) (w fakeeditor.Windows, err error) {
	for _, word := range words {
		switch word {
		case "messages":
			w.Messages = true
		case "documents":
			w.Documents = true
		case "progress":
			w.Progress = true
		default:
			err = fmt.Errorf("there is no window %q", word)
		}
	}
	return w, err
}

func windowCaps(w fakeeditor.Windows) map[string]any {
	caps := map[string]any{"workDoneProgress": w.Progress, "showDocument": map[string]any{"support": w.Documents}}
	if w.Messages {
		caps["showMessage"] = map[string]any{}
	}
	return caps
}

func (s *Stage) haveWindows(args []string) error {
	if s.initialized {
		return errors.New("the handshake was before")
	}
	w, err := windowsOf(args)
	s.nativeWindows = &w
	return err
}

// command runs a command with its words as they are: JSON where it is a list, an
// object or a text in quotes.
func (s *Stage) command(args []string) error {
	words := []any{}
	for _, a := range s.expandAll(args[1:]) {
		if strings.ContainsRune(`{["`, rune(a[0])) && json.Valid([]byte(a)) {
			words = append(words, json.RawMessage(a))
			continue
		}
		words = append(words, a)
	}
	s.lastResult, s.lastError = s.Editor.Call(s.ctx, "workspace/executeCommand", map[string]any{"command": args[0], "arguments": words})
	var res struct{ TaskID string }
	if s.lastError == nil && json.Unmarshal(s.lastResult, &res) == nil && res.TaskID != "" {
		s.TaskID = res.TaskID
	}
	return nil
}

func (s *Stage) message(args []string) error {
	m, err := s.Editor.NextMessage(s.ctx)
	if err != nil {
		return err
	}
	s.lastMessage = m
	return hasParts("the message", m.Text+"\n"+strings.Join(m.Actions, "\n"), s.expandAll(args))
}

func (s *Stage) messageLacks(args []string) error {
	m := s.lastMessage
	return compare("the message", m.Text+"\n"+strings.Join(m.Actions, "\n"), "lacks", s.expandAll(args))
}

func (s *Stage) act(args []string) error { return s.Editor.Act(s.lastMessage, args[0]) }

func (s *Stage) messageReply(args []string) error {
	s.Editor.Reply(s.lastMessage, args[0])
	return nil
}

func (s *Stage) messageLeft([]string) error {
	s.Editor.LeaveMessage(s.lastMessage)
	return nil
}

func (s *Stage) messageWithdrawn([]string) error {
	return s.Editor.MessageWithdrawn(s.ctx, s.lastMessage)
}

func (s *Stage) noMessages([]string) error {
	s.Editor.RefuseMessages()
	return nil
}

func (s *Stage) noProgress([]string) error {
	s.Editor.RefuseProgress()
	return nil
}

func (s *Stage) progressRefused([]string) error {
	return s.Editor.Until(s.ctx, "a progress to refuse", func() bool { return s.Editor.ProgressRefusedLocked() > 0 })
}

func (s *Stage) unseen([]string) error {
	var err error
	if e := s.Editor.Until(s.ctx, "", func() bool {
		if d, p := s.Editor.DocumentsLocked(), s.Editor.ProgressLocked(); len(d)+len(p) > 0 {
			err = fmt.Errorf("there were documents %q and progress %+v", d, p)
		}
		return true
	}); e != nil {
		return e
	}
	return err
}

func (s *Stage) told(args []string) error {
	parts := s.expandAll(args)
	return s.Editor.Until(s.ctx, "a sentence with "+strings.Join(parts, ", "), func() bool {
		for _, text := range s.Editor.MessagesLocked() {
			if hasParts("", text, parts) != nil {
				continue
			}
			if id := approvalIDIn(text); id != "" {
				s.approvalID = id
			}
			return true
		}
		return false
	})
}

// approvalIDIn finds the id that a sentence names for commands.
func approvalIDIn(text string) string { return uuids.FindString(text) }

func (s *Stage) document(args []string) error {
	part := s.expand(args[0])
	return s.Editor.Until(s.ctx, "the document "+part, func() bool {
		return slices.ContainsFunc(s.Editor.DocumentsLocked(), func(uri string) bool { return strings.Contains(uri, part) })
	})
}

func (s *Stage) progressed(args []string) error {
	parts := s.expandAll(args[1:])
	return s.Editor.Until(s.ctx, "a progress "+strings.Join(args, " "), func() bool {
		return slices.ContainsFunc(s.Editor.ProgressLocked(), func(p fakeeditor.Progress) bool {
			return (args[0] == p.Kind || args[0] == "any") && hasParts("", p.Title+"\n"+p.Message, parts) == nil
		})
	})
}

func (s *Stage) progressCancel([]string) error {
	var token string
	err := s.Editor.Until(s.ctx, "a progress", func() bool {
		if open := s.Editor.ProgressTokensLocked(); len(open) > 0 {
			token = open[0]
		}
		return token != ""
	})
	if err != nil {
		return err
	}
	return s.Editor.Notify("window/workDoneProgress/cancel", map[string]any{"token": token})
}

// transcriptFile looks at the file until it is right. It is written beside what
// the editor is told, so answers of the daemon are all there is to wait for.
func (s *Stage) transcriptFile(args []string) error {
	parts := s.expandAll(args[1:])
	for {
		text, err := os.ReadFile(filepath.Join(s.dir, "home", "state", "tasks", s.TaskID, "transcript.md"))
		if err == nil {
			if err = compare("the transcript", string(text), args[0], parts); err == nil {
				return nil
			}
		}
		if s.ctx.Err() != nil {
			return err
		}
		if err := s.taken(nil); err != nil {
			return err
		}
	}
}
