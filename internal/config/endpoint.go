package config

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
)

const openAIKeyEnv = "OPENAI_API_KEY"

// vendors are the base URLs of the providers that have one.
var vendors = map[string]string{
	"openai": "https://api.openai.com/v1",
	"ollama": "http://127.0.0.1:11434/v1",
}

// Endpoint is where the requests of one mode go.
type Endpoint struct {
	Provider, Model string
	BaseURL         string
	// APIKey may be empty: local servers want none.
	APIKey Secret
	// ContextWindow in tokens, 0 when the settings do not say.
	ContextWindow int
	// Warning, if set, tells the user that a key they set is not used here.
	Warning *Problem
}

// url is the base URL of a model whose settings override base's. fallback is
// that of OpenAI-compatible APIs when no setting names one, "" for the vendor's.
func (m Model) url(base Model, fallback string) string {
	provider := cmp.Or(m.Provider, base.Provider, Default().Provider)
	inherited := base.BaseURL
	if base.Provider != "" && provider != base.Provider {
		inherited = ""
	}
	if provider != "openai" {
		fallback = ""
	}
	return strings.TrimRight(cmp.Or(m.BaseURL, inherited, fallback, vendors[provider]), "/")
}

// place is where the requests of a mode go, before it is known whether they can.
type place struct {
	provider, model, url string
	window               int
	// keyName is the variable that holds the key, keyOrigin the host it was
	// given for; "" when no setting names one.
	keyName, keyOrigin string
}

func (s *Settings) where(mode string) place {
	own, base := s.Act, s.Model
	if mode == "plan" {
		own = s.Plan
	}
	if own.Provider != "" && own.Provider != base.Provider { // another vendor: nothing is inherited
		base = Model{Provider: own.Provider}
	}
	p := place{provider: base.Provider, model: cmp.Or(own.Model, base.Model), url: own.url(base, s.fallback.baseURL), window: own.ContextWindow}
	if p.window == 0 && p.model == base.Model {
		p.window = base.ContextWindow
	}
	p.keyName, p.keyOrigin = envReference(own.APIKey), s.origins[mode]
	if p.keyName == "" {
		p.keyName, p.keyOrigin = envReference(base.APIKey), s.origins[""]
	}
	return p
}

// Endpoint returns where requests of a mode ("plan" or "act") go. The error is
// a *Problem: no model is set, or there is no key for a vendor that wants one.
// A key goes only to the host it was given for; one that may not go there is
// left out with a warning.
func (s *Settings) Endpoint(mode string, getenv func(string) string) (*Endpoint, error) {
	p := s.where(mode)
	e := &Endpoint{Provider: p.provider, Model: p.model, BaseURL: p.url, ContextWindow: p.window}
	if e.Model == "" {
		return nil, problem("model", "no model is set", fmt.Sprintf(`set "model" in %s, CLINED_MODEL, or --model`, s.settingsFile()))
	}
	name := p.keyName
	switch {
	case (name == "" || name == openAIKeyEnv) && s.fallbackReaches(p.url):
		name = openAIKeyEnv
	case name != "" && p.keyOrigin != origin(p.url):
		e.Warning = withheld(name, p.url)
		name = ""
	}
	if name != "" {
		e.APIKey = NewSecret(getenv(name), name)
	}
	switch {
	case name != "" && e.APIKey.IsZero():
		return nil, problem("apiKey", fmt.Sprintf("the API key is to come from the variable %s, which is not set", name),
			fmt.Sprintf("set %s where clined is started", name))
	case name == "" && origin(p.url) == origin(vendors["openai"]):
		return nil, problem("apiKey", "there is no API key for "+p.url,
			fmt.Sprintf(`set OPENAI_API_KEY, or "apiKey" in %s beside "baseUrl"`, s.settingsFile()))
	}
	return e, nil
}

// fallbackReaches says whether OPENAI_API_KEY may be sent to a URL: to the
// vendor's host, and to the base URL given beside it in the environment.
func (s *Settings) fallbackReaches(url string) bool {
	if !s.fallback.hasKey {
		return false
	}
	at := origin(url)
	return at == origin(vendors["openai"]) || s.fallback.baseURL != "" && at == origin(s.fallback.baseURL)
}

func problem(key, message, hint string) *Problem {
	return &Problem{Level: slog.LevelError, Key: key, Message: message, Hint: hint}
}

func withheld(name, to string) *Problem {
	return &Problem{Level: slog.LevelWarn, Key: "apiKey",
		Message: fmt.Sprintf("the API key in %s is not sent to %s, which it was not given for", name, to),
		Hint:    "set the key beside the base URL, or in CLINED_API_KEY"}
}

// origin is the part of a URL that decides who gets a key: scheme and host.
func origin(raw string) string {
	u, err := url.Parse(raw)
	if err != nil {
		return raw
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}

// settingsFile names the user's file in hints.
func (s *Settings) settingsFile() string { return cmp.Or(s.file, "settings.json") }
