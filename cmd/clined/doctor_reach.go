package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"time"

	"clined/internal/config"
	"clined/internal/llm"
	"clined/internal/llm/openai"
	"clined/internal/mcphub"
)

// serverTime is how long an MCP server may take to start.
const serverTime = 15 * time.Second

// models looks at the model of each mode, its key, and its server.
func (d *doctor) models(ctx context.Context) (found []finding) {
	lookup := config.Lookup{Getenv: os.Getenv, Stored: d.secrets.Find(ctx)}
	var asked []string
	for _, mode := range []string{"act", "plan"} {
		e, err := d.settings.Endpoint(mode, lookup)
		name := "model"
		if mode == "plan" {
			name = "plan model"
		}
		var p *config.Problem
		if errors.As(err, &p) {
			found = appendNew(found, finding{name, failure, p.Message, p.Hint})
			if p.Key == "model" && mode == "act" {
				found = append(found, d.discover(ctx)...)
			}
			continue
		}
		place := e.Model + " at " + config.ShownURL(e.BaseURL)
		if slices.Contains(asked, place) {
			continue
		}
		asked = append(asked, place)
		found = append(found, finding{name, good, place + ", " + keyWords(e, d.dirs.SecretsFile()), ""})
		if e.Warning != nil {
			found = append(found, finding{name, warning, e.Warning.Message, e.Warning.Hint})
		}
		found = append(found, d.ask(ctx, e))
	}
	return found
}

// discover tells of the model servers on this machine, for who has set none.
func (d *doctor) discover(ctx context.Context) (found []finding) {
	for _, s := range openai.Discover(ctx, openai.Places(d.settings.Discover, os.Getenv("OLLAMA_HOST"))) {
		f := finding{"found", good, fmt.Sprintf("%s at %s has no models yet", s.Name, s.BaseURL), ""}
		if n := len(s.Models); n > 0 {
			provider := "openai"
			if s.Ollama {
				provider = "ollama"
			}
			f.Text = fmt.Sprintf("%s at %s offers %q", s.Name, s.BaseURL, s.Models[0])
			if n > 1 {
				f.Text += fmt.Sprintf(" and %d more", n-1)
			}
			f.Hint = fmt.Sprintf(`to use it, set "provider": %q, "baseUrl": %q and "model": %q`, provider, s.BaseURL, s.Models[0])
		}
		found = append(found, f)
	}
	return found
}

// appendNew leaves out what was found in the other mode already.
func appendNew(found []finding, f finding) []finding {
	if slices.ContainsFunc(found, func(o finding) bool { return o.Text == f.Text }) {
		return found
	}
	return append(found, f)
}

// ask asks the server of an endpoint for its models.
func (d *doctor) ask(ctx context.Context, e *config.Endpoint) finding {
	models, err := openai.Ask(ctx, openai.Options{BaseURL: e.BaseURL, APIKey: e.APIKey.Reveal(), Proxy: d.settings.Proxy, CAFile: d.settings.CAFile})
	if err == nil {
		return answered(e, models)
	}
	switch failed := llm.AsError(err); {
	case ctx.Err() != nil:
		return finding{}
	case failed.Status == http.StatusNotFound:
		return finding{"server", warning, failed.Error(), failed.Hint}
	default:
		return finding{"server", failure, failed.Error(), failed.Hint}
	}
}

// answered says whether the server offers the model.
func answered(e *config.Endpoint, models []openai.ModelInfo) finding {
	var ids []string
	for _, m := range models {
		ids = append(ids, m.ID)
	}
	place := config.ShownURL(e.BaseURL)
	f := finding{"server", good, fmt.Sprintf("%s answers and offers %s", place, e.Model), ""}
	if slices.Contains(ids, e.Model) || slices.Contains(ids, e.Model+":latest") {
		return f
	}
	f.State, f.Text = warning, fmt.Sprintf("%s answers, but %q is not among its %d models", place, e.Model, len(ids))
	f.Hint = "check the model's name; some servers do not list all they have"
	if len(ids) > 0 && len(ids) <= 5 {
		f.Hint = fmt.Sprintf("it offers %q", ids)
	}
	return f
}

// servers starts the MCP servers and ends them again.
func (d *doctor) servers(ctx context.Context) (found []finding) {
	file := cmp.Or(d.settings.MCP.File, d.dirs.MCPFile())
	news := make(chan struct{}, 1)
	hub := mcphub.New(mcphub.Options{
		Workspace: d.cwd, Scrub: d.settings.SecretEnv(), Version: version(), StartTimeout: serverTime,
		Backoff: func(int) (time.Duration, bool) { return 0, false }, // one try tells
		Notify: func(mcphub.Notice) {
			select {
			case news <- struct{}{}:
			default:
			}
		},
	})
	defer hub.Close()
	if err := hub.Load(file); err != nil {
		return []finding{{"MCP", failure, err.Error(), "mend the file; the servers in it are not started until then"}}
	}
	if len(hub.Status()) == 0 {
		return []finding{{"MCP", good, "no servers in " + file, ""}}
	}
	hub.Start()
	limit := time.NewTimer(serverTime)
	defer limit.Stop()
	for starting(hub) {
		select {
		case <-news:
		case <-limit.C:
			return aboutServers(hub, file)
		case <-ctx.Done():
			return nil
		}
	}
	return aboutServers(hub, file)
}

func starting(hub *mcphub.Hub) bool {
	return slices.ContainsFunc(hub.Status(), func(s mcphub.ServerStatus) bool { return s.State == mcphub.Starting })
}

func aboutServers(hub *mcphub.Hub, file string) (found []finding) {
	for _, s := range hub.Status() {
		f := finding{"MCP", good, fmt.Sprintf("%s: %d tools", s.Name, len(s.Offer.Tools)), ""}
		switch s.State {
		case mcphub.Connected:
		case mcphub.Disabled:
			f.Text = s.Name + ": disabled"
		case mcphub.Starting:
			f.State, f.Text, f.Hint = failure, fmt.Sprintf("%s did not start within %s", s.Name, serverTime), "run its command by hand, or disable it in "+file
		default:
			f.State, f.Text, f.Hint = failure, fmt.Sprintf("%s: %s", s.Name, s.Error), "correct its entry in "+file
		}
		if s.State == mcphub.Connected && len(s.Warnings) > 0 {
			f.State, f.Hint = warning, fmt.Sprint(s.Warnings[0])
		}
		found = append(found, f)
	}
	return found
}
