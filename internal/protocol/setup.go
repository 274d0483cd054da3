package protocol

import "context"

// SetupStatus tells whether a turn could start with the settings as they are.
type SetupStatus struct {
	// Configured is true when there is a model, and a key where one is known to
	// be needed. Nobody was asked over a network.
	Configured bool   `json:"configured"`
	Provider   string `json:"provider"`
	Model      string `json:"model,omitempty"`
	BaseURL    string `json:"baseUrl,omitempty"`
	// Demo is true while the scripted model of the demo answers.
	Demo bool `json:"demo,omitempty"`
	// Examples are prompts that the demo understands, while it answers.
	Examples []string `json:"examples,omitempty"`
	// Problem is what is missing, a sentence; Hint what to do about it.
	Problem string `json:"problem,omitempty"`
	Hint    string `json:"hint,omitempty"`
}

// SetupDiscoverResult lists the model servers that answered on this machine.
type SetupDiscoverResult struct {
	Servers []FoundServer `json:"servers"`
}

// FoundServer is a model server as the settings would name it.
type FoundServer struct {
	// Name such as "Ollama".
	Name     string `json:"name"`
	Provider string `json:"provider"`
	BaseURL  string `json:"baseUrl"`
	// Models are the ids it offers, sorted; there may be none.
	Models []string `json:"models"`
}

// SetupDemoParams start the demo, or end it.
type SetupDemoParams struct {
	// Stop has the model of the settings answer again.
	Stop bool `json:"stop,omitempty"`
}

// ModelListParams name an endpoint; what is missing is taken from the settings.
type ModelListParams struct {
	Provider string `json:"provider,omitempty"`
	BaseURL  string `json:"baseUrl,omitempty"`
	// Secret is a key to try: for this request alone, in place of any other. It
	// goes where Provider or BaseURL say, so one of them must be named.
	Secret string `json:"secret,omitempty"`
}

// ModelListResult is what an endpoint offers, or why that is not known.
type ModelListResult struct {
	// Models by id.
	Models  []ModelInfo `json:"models"`
	Problem string      `json:"problem,omitempty"`
	Hint    string      `json:"hint,omitempty"`
}

// ModelInfo is a model as its endpoint tells of it.
type ModelInfo struct {
	ID string `json:"id"`
	// Name for people, "" where there is none beside the id.
	Name string `json:"name,omitempty"`
	// ContextWindow in tokens, 0 where the endpoint does not say.
	ContextWindow int `json:"contextWindow,omitempty"`
}

// setup is the part of Server about finding a model to work with.
type setup interface {
	// SetupStatus asks no network.
	SetupStatus(ctx context.Context, p *Empty) (*SetupStatus, error)
	// SetupDiscover looks for servers on this machine, some seconds at most.
	SetupDiscover(ctx context.Context, p *Empty) (*SetupDiscoverResult, error)
	// SetupDemo has the demo's scripted model answer from now on, or no more.
	SetupDemo(ctx context.Context, p *SetupDemoParams) (*SetupStatus, error)
	// ModelList asks one endpoint for its models.
	ModelList(ctx context.Context, p *ModelListParams) (*ModelListResult, error)
}

func (s serverStub) SetupStatus(ctx context.Context, p *Empty) (*SetupStatus, error) {
	return call[SetupStatus](ctx, s.c, MethodSetupStatus, p)
}

func (s serverStub) SetupDiscover(ctx context.Context, p *Empty) (*SetupDiscoverResult, error) {
	return call[SetupDiscoverResult](ctx, s.c, MethodSetupDiscover, p)
}

func (s serverStub) SetupDemo(ctx context.Context, p *SetupDemoParams) (*SetupStatus, error) {
	return call[SetupStatus](ctx, s.c, MethodSetupDemo, p)
}

func (s serverStub) ModelList(ctx context.Context, p *ModelListParams) (*ModelListResult, error) {
	return call[ModelListResult](ctx, s.c, MethodModelList, p)
}
