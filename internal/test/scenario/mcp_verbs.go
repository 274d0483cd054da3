package scenario

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"clined/internal/test/fakemcp"
)

// mcpPart is the part mcp/NAME.json of a story: a scripted server, and in Entry
// what its entry in the settings says besides how to start it.
type mcpPart struct {
	fakemcp.Script
	Entry map[string]any
}

// serversOf returns the entries that stand for $SERVER(NAME).
func (s *Stage) serversOf(parts map[string]string) (map[string]string, error) {
	entries := map[string]string{}
	for name, text := range parts {
		name, ok := strings.CutPrefix(name, "mcp/")
		if !ok {
			continue
		}
		name = strings.TrimSuffix(name, ".json")
		var p mcpPart
		if err := json.Unmarshal([]byte(s.subst.Replace(repeat(text))), &p); err != nil {
			return nil, fmt.Errorf("mcp/%s.json: %w", name, err)
		}
		p.Journal = filepath.Join(s.dir, name+".journal")
		raw, err := json.Marshal(p.Script.Entry(withEnv(p.Entry)))
		if err != nil {
			return nil, err
		}
		entries["$SERVER("+name+")"] = string(raw)
	}
	return entries, nil
}

// withEnv gives "env" the type that fakemcp merges.
func withEnv(entry map[string]any) map[string]any {
	if env, ok := entry["env"].(map[string]any); ok {
		texts := map[string]string{}
		for k, v := range env {
			texts[k] = fmt.Sprint(v)
		}
		entry["env"] = texts
	}
	return entry
}

// writeServers makes a part of the story the MCP settings. The last line of it
// has no line end, which is a file that editors write too.
func (s *Stage) writeServers(args []string) error {
	text, ok := s.parts[args[0]]
	if !ok {
		return fmt.Errorf("the story has no part %q", args[0])
	}
	for name, value := range s.commands {
		text = strings.ReplaceAll(text, name, value)
	}
	text = s.subst.Replace(strings.TrimSuffix(text, "\n"))
	return os.WriteFile(filepath.Join(s.dir, "home", "mcp.json"), []byte(text), 0o600)
}

// journal waits until a scripted server has got messages with these parts.
func (s *Stage) journal(args []string) error {
	return s.appears([]string{"../" + args[0] + ".journal"}, args[1:])
}

// appears waits until a file that another process writes has these parts.
func (s *Stage) appears(file, parts []string) error {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		text, err := os.ReadFile(s.path(file[0]))
		if err == nil {
			if err = hasParts(file[0], string(text), s.expandAll(parts)); err == nil {
				return nil
			}
		}
		select {
		case <-tick.C:
		case <-s.ctx.Done():
			return err
		}
	}
}

// nowhere looks for a text that must not be seen: in what was told to the
// editor, to the model and to the log, and in every file below the story's folder.
func (s *Stage) nowhere(args []string) error {
	text := args[0]
	for _, e := range s.Editor.Events() {
		if strings.Contains(jsonText(e), text) {
			return fmt.Errorf("event %d holds it: %s", e.Seq, tail(jsonText(e.Event), 600))
		}
	}
	for _, r := range s.model.Requests() {
		if strings.Contains(string(r.Raw), text) {
			return fmt.Errorf("the body of request %d holds it", r.Number)
		}
	}
	if strings.Contains(s.log.String(), text) {
		return fmt.Errorf("the log holds it: %s", s.log)
	}
	return filepath.WalkDir(s.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		raw, err := os.ReadFile(path)
		if err == nil && strings.Contains(string(raw), text) {
			err = fmt.Errorf("the file %s holds it", path)
		}
		return err
	})
}
