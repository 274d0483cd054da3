package daemon

import (
	"context"
	"fmt"

	"clined/internal/config"
	"clined/internal/demo"
	"clined/internal/event"
	"clined/internal/mcphub"
)

// modelSettings are the settings that name models, of both modes and of each.
type modelSettings [3]struct{ provider, model, baseURL string }

func modelsOf(s *config.Settings) (named modelSettings) {
	for i, m := range []config.Model{s.Model, s.Plan, s.Act} {
		named[i].provider, named[i].model, named[i].baseURL = m.Provider, m.Model, m.BaseURL
	}
	return named
}

// withDemo returns the settings with the demo's model in place of the user's. No
// key of theirs can go to it: none was given for its address.
func withDemo(s *config.Settings, baseURL string) *config.Settings {
	own := *s
	own.Model = config.Model{Provider: "openai", Model: demo.ModelID, BaseURL: baseURL}
	own.Plan, own.Act = config.Model{}, config.Model{}
	own.ToolCalling = config.Default().ToolCalling
	return &own
}

// isDemo tells of settings with the demo's model.
func isDemo(s *config.Settings) bool { return s.Model.Model == demo.ModelID }

func demoNotice() event.Notice {
	return event.Notice{Severity: "info", Text: demo.GuestNotice, Hint: demo.GuestHint()}
}

// Demo implements server.Setup: the demo's model answers in this session from now
// on, with the MCP server of its weather story, or does so no more.
func (f setup) Demo(_ context.Context, stop bool) error {
	if stop {
		f.s.leaveDemo()
		return nil
	}
	return f.s.enterDemo()
}

func (s *session) enterDemo() error {
	settings := s.configured()
	s.mu.Lock()
	if s.demo == nil {
		m, err := demo.Start(demo.Options{Pace: s.d.pace, Guest: true})
		if err != nil {
			s.mu.Unlock()
			return fmt.Errorf("the scripted model could not be started: %w", err)
		}
		s.demo = m
	}
	again := s.playing
	s.playing, s.left = true, modelsOf(settings)
	s.mu.Unlock()
	if again {
		return nil
	}
	s.placeDemoServer()
	s.tell(demoNotice())
	s.tellOptions()
	return nil
}

func (s *session) leaveDemo() {
	s.mu.Lock()
	over := s.playing
	s.playing = false
	s.mu.Unlock()
	if over {
		s.demoEnded()
		s.tellOptions()
	}
}

// otherModelsLocked takes note of settings that were made anew: where they name
// other models than before, what the user chose for new tasks gives way, and so
// does the demo, which it reports.
func (s *session) otherModelsLocked(before *config.Settings) (over bool) {
	now := modelsOf(s.settings)
	if before != nil && modelsOf(before) != now {
		s.fresh.model = ""
	}
	over = s.playing && now != s.left && s.settings.ModelOf(string(s.fresh.mode)) != ""
	if over {
		s.playing = false
	}
	return over
}

// demoEnded takes the demo's server away and tells the tasks. The endpoint stays
// for what is still being answered.
func (s *session) demoEnded() {
	s.placeDemoServer()
	s.tell(event.Notice{Severity: "info", Text: "the demo is over: the model of your settings answers from now on"})
}

// placeDemoServer has the demo's MCP server run while the demo does, whoever comes
// last.
func (s *session) placeDemoServer() {
	s.placing.Lock()
	defer s.placing.Unlock()
	s.mu.Lock()
	playing := s.playing
	s.mu.Unlock()
	servers := map[string]mcphub.Config{}
	if exe := s.d.o.Executable; exe != "" && playing {
		servers[demo.ServerName] = mcphub.Config{Command: exe, Args: demo.ServerArgs(), Timeout: mcphub.DefaultTimeout}
	}
	s.hub.Beside(servers)
}
