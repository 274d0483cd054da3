package config

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
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
	// Account is under which name the key for this place is stored.
	Account string
	// KeyFrom is where the key comes from: the name of a variable, or where it
	// is stored as Lookup.Stored says; "" without one.
	KeyFrom string
	// ContextWindow in tokens, 0 when the settings do not say.
	ContextWindow int
	// Reasoning is "low", "medium" or "high", "" when the settings do not say.
	Reasoning string
	// Price of the model, nil when the settings do not say.
	Price *Price
	// Warning, if set, tells the user that a key they set is not used here.
	Warning *Problem
}

// Lookup is where secrets are.
type Lookup struct {
	Getenv func(name string) string
	// Stored returns the secret of an account (see Account), and where it is
	// kept; "" when there is none. nil when nothing is stored. It is asked
	// only when no variable of the environment holds the key.
	Stored func(account string) (secret, where string, err error)
}

// Account names the secret for a provider at the host of a URL: it goes to no
// other host.
func Account(provider, baseURL string) string {
	return provider + "@" + origin(cmp.Or(baseURL, vendors[provider]))
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
	provider, model, url, reasoning string
	window                          int
	// key is the reference to the key, keyOrigin the host it was given for; ""
	// when no setting names one.
	key, keyOrigin string
}

func (s *Settings) where(mode string) place {
	own, base := s.Act, s.Model
	if mode == "plan" {
		own = s.Plan
	}
	if own.Provider != "" && own.Provider != base.Provider { // another vendor: nothing is inherited
		base = Model{Provider: own.Provider}
	}
	p := place{
		provider: base.Provider, model: cmp.Or(own.Model, base.Model), url: own.url(base, s.fallback.baseURL),
		window: own.ContextWindow, reasoning: cmp.Or(own.Reasoning, base.Reasoning),
	}
	if p.window == 0 && p.model == base.Model {
		p.window = base.ContextWindow
	}
	p.key, p.keyOrigin = own.APIKey, s.origins[mode]
	if p.key == "" {
		p.key, p.keyOrigin = base.APIKey, s.origins[""]
	}
	return p
}

// Target returns where requests of a mode ("plan" or "act") go, whether or not a
// model and a key are set: who asks for a key needs to know what for.
func (s *Settings) Target(mode string) (provider, baseURL string) {
	p := s.where(mode)
	return p.provider, p.url
}

// ModelOf returns the id of the model that the settings name for a mode, "" for
// none, whether or not there is a key for it.
func (s *Settings) ModelOf(mode string) string { return s.where(mode).model }

// EndpointAt returns an endpoint without a model, to ask what it offers: that of
// act mode, or the one at a provider's baseURL. Each may be "": the provider is
// then that of the settings, the baseURL the provider's own. A key to try comes
// before any other; without one it gets no key but one that was given for its
// host. The error is a *Problem.
func (s *Settings) EndpointAt(provider, baseURL, key string, from Lookup) (*Endpoint, error) {
	p := s.where("act")
	if provider != "" || baseURL != "" {
		p = s.placeAt(cmp.Or(provider, p.provider), baseURL)
	}
	switch {
	case baseURL != "" && !validURL(baseURL):
		return nil, problem("baseUrl", "the base URL must be an http or https URL, without user name and password", `write something like "https://api.openai.com/v1" or "http://127.0.0.1:11434/v1"`)
	case p.url == "":
		return nil, problem("provider", fmt.Sprintf("there is no provider %q", short(p.provider)), "it is openai for any OpenAI-compatible API, or ollama")
	}
	e := &Endpoint{Provider: p.provider, BaseURL: p.url, Account: Account(p.provider, p.url)}
	if key != "" {
		e.APIKey = NewSecret(key, "")
		return e, nil
	}
	return e, s.withKey(e, p, from)
}

// placeAt is a place that a person named, with the key that the settings have for
// that host.
func (s *Settings) placeAt(provider, baseURL string) place {
	at := place{provider: provider}
	if _, known := vendors[provider]; !known {
		return at
	}
	at.url = strings.TrimRight(cmp.Or(baseURL, vendors[provider]), "/")
	for _, mode := range []string{"act", "plan"} {
		if p := s.where(mode); p.keyOrigin == origin(at.url) && at.key == "" {
			at.key, at.keyOrigin = p.key, p.keyOrigin
		}
	}
	return at
}

// Endpoint returns where requests of a mode ("plan" or "act") go. The error is
// a *Problem: no model is set, or there is no key for a vendor that wants one.
// A key goes only to the host it was given for; one that may not go there is
// left out with a warning.
func (s *Settings) Endpoint(mode string, from Lookup) (*Endpoint, error) {
	p := s.where(mode)
	e := &Endpoint{
		Provider: p.provider, Model: p.model, BaseURL: p.url, Account: Account(p.provider, p.url),
		ContextWindow: p.window, Reasoning: p.reasoning,
	}
	if e.Model == "" {
		return nil, problem("model", "no model is set", fmt.Sprintf(`set "model" in %s, CLINED_MODEL, or --model`, s.settingsFile()))
	}
	if price, ok := s.Prices[e.Model]; ok {
		e.Price = &price
	}
	if err := s.withKey(e, p, from); err != nil {
		return nil, err
	}
	return e, nil
}

// withKey gives the endpoint its key, or says that there is none where one is
// known to be needed.
func (s *Settings) withKey(e *Endpoint, p place, from Lookup) error {
	if err := s.findKey(e, p, from); err != nil {
		return err
	}
	if e.APIKey.IsZero() && origin(p.url) == origin(vendors["openai"]) {
		return problem("apiKey", "there is no API key for "+ShownURL(p.url),
			fmt.Sprintf(`store one with "clined auth login", set OPENAI_API_KEY, or "apiKey" in %s beside "baseUrl"`, s.settingsFile()))
	}
	return nil
}

// findKey gives the endpoint its key: of the variable that the settings name,
// else of the vendor's variable, else the stored one.
func (s *Settings) findKey(e *Endpoint, p place, from Lookup) error {
	name := envReference(p.key)
	switch {
	case (p.key == "" || name == openAIKeyEnv) && s.fallbackReaches(p.url):
		name = openAIKeyEnv
	case name != "" && p.keyOrigin != origin(p.url):
		e.Warning = withheld(name, p.url)
		return nil
	}
	if name == "" {
		return s.storedKey(e, p.key == keyringReference, from)
	}
	e.APIKey, e.KeyFrom = NewSecret(from.Getenv(name), name), name
	if e.APIKey.IsZero() {
		return problem("apiKey", fmt.Sprintf("the API key is to come from the variable %s, which is not set", name),
			fmt.Sprintf("set %s where clined is started", name))
	}
	return nil
}

// storedKey gives the endpoint the key that was stored for it. wanted says that
// the settings name it, so that it must be there.
func (s *Settings) storedKey(e *Endpoint, wanted bool, from Lookup) error {
	value, where, err := "", "", errors.New("nothing is stored here")
	if from.Stored != nil {
		value, where, err = from.Stored(e.Account)
	}
	switch {
	case value != "":
		e.APIKey, e.KeyFrom = NewSecret(value, ""), where
	case wanted && err != nil:
		return problem("apiKey", fmt.Sprintf("the stored API key for %s cannot be read: %v", ShownURL(e.BaseURL), err),
			`try again, or store it anew: clined auth login`)
	case wanted:
		return problem("apiKey", "there is no stored API key for "+ShownURL(e.BaseURL), fmt.Sprintf("store it: clined auth login --provider %s --base-url %s", e.Provider, ShownURL(e.BaseURL)))
	case err != nil && from.Stored != nil:
		e.Warning = &Problem{Level: slog.LevelWarn, Key: "apiKey", Message: fmt.Sprintf("the stored API key for %s cannot be read: %v", ShownURL(e.BaseURL), err),
			Hint: "store it anew: clined auth login"}
	}
	return nil
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
		Message: fmt.Sprintf("the API key in %s is not sent to %s, which it was not given for", name, ShownURL(to)),
		Hint:    "set the key beside the base URL, or in CLINED_API_KEY"}
}

// settingsFile names the user's file in hints.
func (s *Settings) settingsFile() string { return cmp.Or(s.file, "settings.json") }
