package daemon

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"clined/internal/approval"
	"clined/internal/config"
	"clined/internal/demo"
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
	settings, mode := *t.s.current(), t.Mode()
	chosen := fresh{mode: mode, model: t.parts.models.Chosen()}
	model := settings.ModelOf(string(chosen.over(&settings)))
	return optionsOf(mode, model, &settings, t.parts.switches)
}

// optionsOf lists all options as they are now.
func optionsOf(mode tools.Mode, model string, now *config.Settings, sw *switches) []event.Option {
	settings, _ := approvalSettings(now, false) // what is not understood allows nothing
	sw.apply(&settings)
	on := map[string]bool{
		"read": settings.Read, "edit": settings.Edit, "command": settings.Command == approval.AllCommands, "mcp": settings.MCP,
	}
	list := []event.Option{modeOption(mode), {ID: modelID, Name: "Model", Value: model}}
	for _, kind := range approveKinds {
		list = append(list, event.Option{
			ID: approve + kind, Name: "Approve " + kind + " without asking", Value: fmt.Sprint(on[kind]), Choices: onOff,
		})
	}
	return list
}

// SetOption implements server.Task.
func (t *task) SetOption(id, value string) error {
	c, err := t.s.choice(id, value)
	if err != nil {
		return err
	}
	switch {
	case c.mode != "":
		before := t.Mode()
		t.SetMode(c.mode)
		if err := t.parts.journal.Sync(context.Background()); err != nil {
			t.SetMode(before)
			return err
		}
	case c.model != "":
		t.parts.models.Choose(c.model)
	default:
		for kind, on := range c.switches {
			t.parts.switches.set(kind, on)
		}
	}
	return nil
}

// fresh is what the user chose for new tasks; what they did not choose is as the
// settings say.
type fresh struct {
	mode  tools.Mode
	model string
	// switches by kind.
	switches map[string]bool
}

func (f fresh) clone() fresh {
	f.switches = maps.Clone(f.switches)
	return f
}

// choice reads one option. The error is for the user.
func (s *session) choice(id, value string) (fresh, error) {
	kind, isSwitch := strings.CutPrefix(id, approve)
	switch {
	case id == modeID:
		m, err := parseMode(value)
		return fresh{mode: m}, err
	case id == modelID && strings.TrimSpace(value) == "":
		return fresh{}, errors.New("model must name a model")
	case id == modelID && isDemo(s.current()):
		if value == demo.ModelID { // as it is; it must not be kept for later
			return fresh{}, nil
		}
		return fresh{}, errors.New("the demo has one model only; name another in the settings, and the demo ends")
	case id == modelID:
		return fresh{model: value}, nil
	case isSwitch && slices.Contains(approveKinds, kind):
		if !slices.Contains(onOff, value) {
			return fresh{}, fmt.Errorf("%s is true or false, not %q", id, value)
		}
		return fresh{switches: map[string]bool{kind: value == "true"}}, nil
	}
	return fresh{}, fmt.Errorf("there is no option %q", id)
}

// Options implements server.Session.
func (s *session) Options() []event.Option {
	settings := *s.current()
	s.mu.Lock()
	chosen := s.fresh.clone()
	s.mu.Unlock()
	model := settings.ModelOf(string(chosen.over(&settings)))
	return optionsOf(chosen.mode, model, &settings, &switches{values: chosen.switches})
}

// over lays the model over settings as a task does, and returns the mode whose
// settings it goes by. No key is looked for.
func (f fresh) over(s *config.Settings) tools.Mode {
	if f.model == "" || isDemo(s) {
		return f.mode
	}
	return pick(s, f.model, f.mode)
}

// SetOption implements server.Session.
func (s *session) SetOption(id, value string) error {
	c, err := s.choice(id, value)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fresh.mode, s.fresh.model = cmp.Or(c.mode, s.fresh.mode), cmp.Or(c.model, s.fresh.model)
	s.fresh.switches = maps.Clone(s.fresh.switches)
	if s.fresh.switches == nil {
		s.fresh.switches = map[string]bool{}
	}
	maps.Copy(s.fresh.switches, c.switches)
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
