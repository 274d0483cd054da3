package daemon

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"clined/internal/approval"
	"clined/internal/event"
	"clined/internal/tools"
)

// Ids of a task's options.
const (
	modeID  = "mode"
	modelID = "model"
	// approve begins those that say what needs no question in this task.
	approve = "auto_approve."
)

// approveKinds are the switches of a task, in the order they are shown.
var approveKinds = []string{"read", "edit", "command", "mcp"}

var onOff = []string{"true", "false"}

func modeOption(m tools.Mode) event.Option {
	return event.Option{ID: modeID, Name: "Mode", Value: string(m), Choices: []string{string(tools.Act), string(tools.Plan)}}
}

func parseMode(value string) (tools.Mode, error) {
	switch m := tools.Mode(value); m {
	case tools.Act, tools.Plan:
		return m, nil
	}
	return "", fmt.Errorf("mode is %q or %q, not %q", tools.Act, tools.Plan, value)
}

// Options implements server.Task.
func (t *task) Options() []event.Option {
	model := ""
	if m, err := t.parts.models.Model(t.Mode()); err == nil {
		model = m.ID
	}
	settings, _ := approvalSettings(t.s.current(), false) // what is not understood allows nothing
	t.parts.switches.apply(&settings)
	now := map[string]bool{
		"read": settings.Read, "edit": settings.Edit, "command": settings.Command == approval.AllCommands, "mcp": settings.MCP,
	}
	list := []event.Option{modeOption(t.Mode()), {ID: modelID, Name: "Model", Value: model}}
	for _, kind := range approveKinds {
		list = append(list, event.Option{
			ID: approve + kind, Name: "Approve " + kind + " without asking", Value: fmt.Sprint(now[kind]), Choices: onOff,
		})
	}
	return list
}

// SetOption implements server.Task.
func (t *task) SetOption(id, value string) error {
	kind, isSwitch := strings.CutPrefix(id, approve)
	switch {
	case id == modeID:
		m, err := parseMode(value)
		if err != nil {
			return err
		}
		before := t.Mode()
		t.SetMode(m)
		if err := t.parts.journal.Sync(context.Background()); err != nil {
			t.SetMode(before)
			return err
		}
	case id == modelID:
		if strings.TrimSpace(value) == "" {
			return fmt.Errorf("model must name a model")
		}
		t.parts.models.Choose(value)
	case isSwitch && slices.Contains(approveKinds, kind):
		if !slices.Contains(onOff, value) {
			return fmt.Errorf("%s is true or false, not %q", id, value)
		}
		t.parts.switches.set(kind, value == "true")
	default:
		return fmt.Errorf("there is no option %q", id)
	}
	return nil
}

// switches are what the user approved for one task as a whole.
type switches struct {
	mu     sync.Mutex // guards values
	values map[string]bool
}

func (s *switches) set(kind string, on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[kind] = on
}

// all returns the switches that were set.
func (s *switches) all() map[string]bool {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.values)
}

// restore sets switches as they were kept, but for those set since.
func (s *switches) restore(kept map[string]bool) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for kind, on := range kept {
		if _, set := s.values[kind]; !set {
			s.values[kind] = on
		}
	}
}

// apply lays the switches over the settings.
func (s *switches) apply(a *approval.Settings) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for kind, on := range s.values {
		switch kind {
		case "read":
			a.Read = on
		case "edit":
			a.Edit = on
		case "mcp":
			a.MCP = on
		case "command":
			a.Command = approval.NoCommands
			if on {
				a.Command = approval.AllCommands
			}
		}
	}
}
