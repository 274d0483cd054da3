package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"

	"clined/internal/llm"
	"clined/internal/transcript"
)

// body is the request (OpenAI API reference, "Create chat completion"). Its
// fields come in this order, so that equal requests are equal bytes.
type body struct {
	Model               string         `json:"model"`
	Messages            []message      `json:"messages"`
	Temperature         *float64       `json:"temperature,omitempty"`
	MaxTokens           int            `json:"max_tokens,omitempty"`
	MaxCompletionTokens int            `json:"max_completion_tokens,omitempty"`
	ReasoningEffort     string         `json:"reasoning_effort,omitempty"`
	Stream              bool           `json:"stream"`
	StreamOptions       *streamOptions `json:"stream_options,omitempty"`
	Tools               []tool         `json:"tools,omitempty"`
	ToolChoice          string         `json:"tool_choice,omitempty"`
	ParallelToolCalls   bool           `json:"parallel_tool_calls,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

type message struct {
	Role string `json:"role"`
	// Content is text, a list of contentPart, or null beside tool calls.
	Content any `json:"content"`
	// ReasoningContent is a pointer: some models insist on it even when empty.
	ReasoningContent *string    `json:"reasoning_content,omitempty"`
	ToolCalls        []toolCall `json:"tool_calls,omitempty"`
	ToolCallID       string     `json:"tool_call_id,omitempty"`
}

type contentPart struct {
	Type     string    `json:"type"`
	Text     string    `json:"text,omitempty"`
	ImageURL *imageURL `json:"image_url,omitempty"`
}

type imageURL struct {
	URL string `json:"url"`
}

type toolCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function functionCall `json:"function"`
}

type functionCall struct {
	Name string `json:"name"`
	// Arguments is a JSON object as text.
	Arguments string `json:"arguments"`
}

type tool struct {
	Type     string   `json:"type"`
	Function function `json:"function"`
}

type function struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters"`
}

// encode writes the body. What it writes of a message depends on that message
// alone, so a longer transcript continues the bytes of a shorter one, which is
// what providers' caches go by.
func encode(req llm.Request, q quirks, schemas *schemaBook, log *slog.Logger) ([]byte, error) {
	if err := transcript.Validate(req.Messages); err != nil {
		return nil, &llm.Error{Class: llm.Refused, Message: "the conversation cannot be sent: " + err.Error(), Err: err}
	}
	b := body{
		Model:           req.Model.ID,
		Messages:        messages(req, q),
		ReasoningEffort: req.Model.Reasoning,
		Stream:          true,
		Tools:           tools(req.Tools, q, schemas, log),
	}
	if !q.has(noTemperature) {
		b.Temperature = req.Model.Temperature
	}
	if !q.has(noStreamOptions) {
		b.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	if q.has(completionTokens) {
		b.MaxCompletionTokens = req.Model.MaxOutput
	} else {
		b.MaxTokens = req.Model.MaxOutput
	}
	if len(b.Tools) > 0 {
		b.ToolChoice = "auto"
		b.ParallelToolCalls = !q.has(noParallelCalls)
	}
	return marshal(b)
}

// marshal writes JSON without the escapes that are only of use inside HTML.
func marshal(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, &llm.Error{Class: llm.Refused, Message: fmt.Sprintf("the request cannot be written as JSON: %v", err), Err: err}
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}
