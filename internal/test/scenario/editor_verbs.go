package scenario

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"clined/internal/protocol"
	"clined/internal/rpc"
)

func (s *Stage) shutdown([]string) error {
	if _, err := s.Editor.Call(s.ctx, "shutdown", nil); err != nil {
		return err
	}
	return s.Editor.Notify("exit", nil)
}

func (s *Stage) hangUp([]string) error {
	if s.Editor == nil {
		return s.daemon.Close()
	}
	s.Editor.Close()
	return nil
}

func (s *Stage) open(args []string) error {
	name := s.expand(args[0])
	uri := s.uri(name)
	if len(args) > 1 {
		return s.taken(s.Editor.Open(uri, args[1]))
	}
	text, err := os.ReadFile(s.path(name))
	if err != nil {
		return err
	}
	return s.taken(s.Editor.Open(uri, string(text)))
}

func (s *Stage) typeText(args []string) error {
	return s.taken(s.Editor.Replace(s.uri(args[0]), args[1]))
}

func (s *Stage) editRange(args []string) error {
	var r protocol.Range
	_, err := fmt.Sscanf(args[1], "%d:%d-%d:%d", &r.Start.Line, &r.Start.Character, &r.End.Line, &r.End.Character)
	if err != nil {
		return fmt.Errorf("range %q: %w", args[1], err)
	}
	return s.taken(s.Editor.Edit(s.uri(args[0]), r, args[2]))
}

func (s *Stage) closeBuffer(args []string) error {
	return s.taken(s.Editor.CloseBuffer(s.uri(args[0])))
}

func (s *Stage) pushState(args []string) error {
	s.stateRev++
	state := map[string]any{"rev": s.stateRev, "visible": []any{}, "tabs": []any{}}
	for _, arg := range args {
		key, value, _ := strings.Cut(arg, "=")
		list := []any{}
		if key == "terminal" {
			name, output, _ := strings.Cut(s.expand(value), ":")
			state["terminals"] = append(list, map[string]any{"id": name, "name": name, "busy": true, "command": name, "output": output})
			continue
		}
		for f := range strings.SplitSeq(s.expand(value), ",") {
			if f != "" {
				list = append(list, map[string]any{"uri": s.uri(f)})
			}
		}
		if key == "active" {
			state[key] = list[0]
			continue
		}
		state[key] = list
	}
	return s.taken(s.Editor.Notify("clined/editor/didChangeState", state))
}

// taken waits until the daemon has taken what it was just told, which any
// answer shows: the model's words come another way and could overtake it.
func (s *Stage) taken(err error) error {
	if err != nil {
		return err
	}
	_, err = s.Editor.Call(s.ctx, "clined/config/get", nil)
	var answered *rpc.Error
	if errors.As(err, &answered) {
		return nil
	}
	return err
}

func (s *Stage) folders(args []string) error {
	added, removed := []any{}, []any{}
	for _, arg := range args {
		folder := map[string]any{"uri": s.uri("../" + arg[1:]), "name": arg[1:]}
		if arg[0] == '-' {
			removed = append(removed, folder)
			continue
		}
		added = append(added, folder)
	}
	return s.taken(s.Editor.Notify("workspace/didChangeWorkspaceFolders", map[string]any{
		"event": map[string]any{"added": added, "removed": removed},
	}))
}

func (s *Stage) writeFile(args []string) error {
	path := s.path(args[0])
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(s.expand(args[1])), 0o644)
}

func (s *Stage) removeFile(args []string) error { return os.RemoveAll(s.path(args[0])) }

func (s *Stage) refuse(args []string) error {
	s.Editor.RefuseEdits(args[0] == "yes")
	return nil
}

func (s *Stage) buffer(args []string) error {
	uri := s.uri(args[0])
	return s.Editor.Until(s.ctx, "the buffer "+args[0]+" to hold "+strconv.Quote(args[1]), func() bool {
		return s.Editor.TextLocked(uri) == args[1]
	})
}

func (s *Stage) file(args []string) error {
	text, err := os.ReadFile(s.path(s.expand(args[0])))
	if args[1] == "missing" {
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return fmt.Errorf("%s is there", args[0])
	}
	if err != nil {
		return err
	}
	return compare(args[0], string(text), args[1], s.expandAll(args[2:]))
}

func (s *Stage) call(args []string) error {
	params, err := s.rawParams(args[1:])
	if err != nil {
		return err
	}
	s.lastResult, s.lastError = s.Editor.Call(s.ctx, args[0], params)
	return nil
}

func (s *Stage) rawParams(args []string) (any, error) {
	if len(args) == 0 {
		return nil, nil
	}
	text := s.expand(args[0])
	if !json.Valid([]byte(text)) {
		return nil, fmt.Errorf("not valid JSON: %s", text)
	}
	return json.RawMessage(text), nil
}

func (s *Stage) result(args []string) error {
	if s.lastError != nil {
		return s.lastError
	}
	return hasParts("the result", string(s.lastResult), s.expandAll(args))
}

func (s *Stage) resultLacks(args []string) error {
	if s.lastError != nil {
		return s.lastError
	}
	return compare("the result", string(s.lastResult), "lacks", s.expandAll(args))
}

func (s *Stage) fails(args []string) error {
	var e *rpc.Error
	if !errors.As(s.lastError, &e) {
		return fmt.Errorf("the call answered %s, %v", s.lastResult, s.lastError)
	}
	if strconv.FormatInt(e.Code, 10) != args[0] {
		return fmt.Errorf("code %d: %s", e.Code, e.Message)
	}
	return hasParts("the error", e.Message+" "+string(e.Data), s.expandAll(args[1:]))
}

func (s *Stage) notify(args []string) error {
	params, err := s.rawParams(args[1:])
	if err != nil {
		return err
	}
	return s.taken(s.Editor.Notify(args[0], params))
}
