package openai

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	goopenai "github.com/sashabaranov/go-openai"

	"clined/internal/llm"
	"clined/internal/llm/sse"
)

const (
	// listTimeout is how long a server may say nothing while it lists its models.
	listTimeout = 20 * time.Second
	// askTime is how long the list may take as a whole where a person waits.
	askTime = 10 * time.Second
	// maxList bounds a list of models; that of a vendor of hundreds has half a megabyte.
	maxList = 8 << 20
)

// ModelInfo is a model as a server lists it.
type ModelInfo struct {
	ID string
	// Name is for people, "" where the server gives none but the id.
	Name string
	// ContextWindow in tokens, 0 where the server does not say.
	ContextWindow int
	// Owner tells more of the server than of the model, such as "vllm".
	Owner string
}

// Ask asks the server of these options for its models, for a person who waits:
// ten seconds at most. An error is an *llm.Error with a hint, except when ctx ended.
func Ask(ctx context.Context, o Options) ([]ModelInfo, error) {
	c, err := New(o)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	limited, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	list, err := c.ListModels(limited)
	var failed *llm.Error
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return nil, &llm.Error{Class: llm.Network, Err: err, Message: fmt.Sprintf("%s did not answer within %s", c.baseText(), askTime),
			Hint: "see whether it is up, and whether a proxy is needed (proxy, HTTPS_PROXY)"}
	case errors.As(err, &failed) && failed.Status == http.StatusNotFound:
		failed.Message = c.baseText() + " answers, but lists no models"
		failed.Hint = cmp.Or(failed.Hint, c.checkBase())
	case errors.As(err, &failed):
		failed.Hint = cmp.Or(failed.Hint, "try again later, or see to the server at "+c.baseText())
	}
	return list, err
}

// ListModels returns the models that the server offers, sorted by id, each once.
// An error is an *llm.Error except when ctx ended.
func (c *Client) ListModels(ctx context.Context) ([]ModelInfo, error) {
	inner, idle := sse.WithIdle(ctx, min(c.idle, listTimeout))
	defer idle.Close()
	r, err := http.NewRequestWithContext(inner, http.MethodGet, c.endpoint("models").String(), nil)
	if err != nil {
		return nil, c.networkError(inner, err)
	}
	c.setHeaders(r)
	var resp *http.Response
	idle.Wait(func() { resp, err = c.http.Do(r) })
	if err != nil {
		return nil, c.networkError(inner, err)
	}
	defer resp.Body.Close()
	body := idle.Reader(resp.Body)
	if resp.StatusCode != http.StatusOK {
		return nil, c.httpError(inner, resp, body, "")
	}
	raw, err := io.ReadAll(io.LimitReader(body, maxList+1))
	switch {
	case err != nil:
		return nil, c.networkError(inner, err)
	case len(raw) > maxList:
		return nil, c.notAList(resp, fmt.Errorf("it has more than %d MiB", maxList>>20))
	}
	list, err := parseModels(raw)
	if err != nil {
		return nil, c.notAList(resp, err)
	}
	return list, nil
}

// notAList is the failure of an answer that lists no models.
func (c *Client) notAList(resp *http.Response, err error) error {
	if errors.Is(err, errWebPage) {
		return c.webPage(resp)
	}
	return &llm.Error{Class: llm.Refused, Message: "the server's list of models is malformed", Hint: c.checkBase(), Err: err}
}

var (
	errWebPage = errors.New("it is a web page")
	errNoList  = errors.New("it has no list")
)

// parseModels reads a list of models: an object with "data", which some servers
// leave null when they have none, or a bare array.
func parseModels(raw []byte) ([]ModelInfo, error) {
	raw = bytes.TrimSpace(raw)
	if bytes.HasPrefix(raw, []byte("<")) {
		return nil, errWebPage
	}
	listed := json.RawMessage(raw)
	if bytes.HasPrefix(raw, []byte("{")) {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(raw, &object); err != nil {
			return nil, err
		}
		if listed = object["data"]; listed == nil {
			return nil, errNoList
		}
	}
	var entries []modelEntry
	if err := json.Unmarshal(listed, &entries); err != nil {
		return nil, err
	}
	list := make([]ModelInfo, 0, len(entries))
	for _, e := range entries {
		if e.ID != "" {
			list = append(list, e.info())
		}
	}
	slices.SortStableFunc(list, func(a, b ModelInfo) int { return cmp.Compare(a.ID, b.ID) })
	return slices.CompactFunc(list, func(a, b ModelInfo) bool { return a.ID == b.ID }), nil
}

// modelEntry is a model in a list: the part that is OpenAI's, and what other
// servers add.
type modelEntry struct {
	goopenai.Model
	Added struct {
		Name    loose `json:"name"`         // OpenRouter, Mistral
		Display loose `json:"display_name"` // Anthropic, Together
		// The size of the context has a name of each server's own.
		Length    tokens `json:"context_length"`     // OpenRouter, Together
		Window    tokens `json:"context_window"`     // Groq
		Maximum   tokens `json:"max_context_length"` // Mistral
		ModelLen  tokens `json:"max_model_len"`      // vLLM, SGLang
		MaxInputs tokens `json:"max_input_tokens"`   // Anthropic
	}
}

// UnmarshalJSON leaves out fields of a wrong type; only the id has to be right.
func (e *modelEntry) UnmarshalJSON(b []byte) error {
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(b, &e.Model); err != nil && (!errors.As(err, &wrong) || wrong.Field == "id") {
		return err
	}
	return json.Unmarshal(b, &e.Added)
}

func (e *modelEntry) info() ModelInfo {
	m := ModelInfo{ID: e.ID, Owner: e.OwnedBy, Name: string(cmp.Or(e.Added.Display, e.Added.Name))}
	if m.Name == m.ID {
		m.Name = ""
	}
	m.ContextWindow = int(cmp.Or(e.Added.Length, e.Added.Window, e.Added.Maximum, e.Added.ModelLen, e.Added.MaxInputs))
	return m
}

// loose is a text; anything else is as good as none.
type loose string

// UnmarshalJSON never fails.
func (l *loose) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) == nil {
		*l = loose(s)
	}
	return nil
}

// tokens is a number of tokens; what cannot be one is as good as none.
type tokens int

// maxTokens is the largest context that the settings take, too.
const maxTokens = 100_000_000

// UnmarshalJSON never fails.
func (t *tokens) UnmarshalJSON(b []byte) error {
	var n float64
	if json.Unmarshal(b, &n) == nil && n >= 1 && n <= maxTokens {
		*t = tokens(n)
	}
	return nil
}
