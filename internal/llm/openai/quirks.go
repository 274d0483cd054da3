package openai

import (
	"regexp"
	"sync"

	"clined/internal/llm"
)

// quirks are deviations from the usual request that a server asked for.
type quirks uint8

const (
	noTemperature quirks = 1 << iota
	noStreamOptions
	noParallelCalls
	// completionTokens: max_completion_tokens instead of max_tokens.
	completionTokens
	// textBesideCalls: "" instead of null as the text beside tool calls.
	textBesideCalls
	// flipThinking: send thinking back where the catalogue says no, or the reverse.
	flipThinking
	// shortDescriptions: those of tools are limited.
	shortDescriptions
)

func (q quirks) has(one quirks) bool { return q&one != 0 }

// quirkBook remembers what was learnt, by model: a gateway has many behind it.
type quirkBook struct {
	mu      sync.Mutex
	byModel map[string]quirks
}

func (c *Client) quirksFor(model string) quirks {
	c.quirks.mu.Lock()
	defer c.quirks.mu.Unlock()
	q := c.quirks.byModel[model]
	if limitsDescriptions(c.base) {
		q |= shortDescriptions
	}
	return q
}

// complaints are the parameters that servers are known to refuse in a 400 or
// 422, and what to do then. Their wordings differ, so the parameter's name and
// a word of refusal must both be there.
var complaints = []struct {
	quirk quirks
	names func() *regexp.Regexp
}{
	{completionTokens, pattern(`max_completion_tokens`)},
	{noTemperature, pattern(`\btemperature\b`)},
	{noStreamOptions, pattern(`\bstream_options\b`)},
	{noParallelCalls, pattern(`\bparallel_tool_calls\b`)},
	{flipThinking, pattern(`\breasoning_content\b`)},
	{shortDescriptions, pattern(`(?i)function\.description\b.*(too long|maximum length)`)},
	{textBesideCalls, pattern(`(?i)\bcontent\b.*(\bnull\b|\bNone\b|must be a string|valid string)|missing field .content\b`)},
}

var refusal = pattern(`(?i)unsupported|not support|unrecognized|unknown|unexpected|extra inputs|not permitted|not allowed|deprecated|invalid|must be|should be|missing|required|only the default|too long`)

// learn reports whether the failure names a parameter that can be changed, and
// remembers that. It says yes at most once for each.
func (c *Client) learn(model string, e *llm.Error) bool {
	if e.Status != 400 && e.Status != 422 || e.Class != llm.Refused || !refusal().MatchString(e.Message) {
		return false
	}
	c.quirks.mu.Lock()
	defer c.quirks.mu.Unlock()
	known := c.quirks.byModel[model]
	for _, one := range complaints {
		if known.has(one.quirk) || !one.names().MatchString(e.Message) {
			continue
		}
		if c.quirks.byModel == nil {
			c.quirks.byModel = map[string]quirks{}
		}
		c.quirks.byModel[model] = known | one.quirk
		c.log.Info("the server refused a parameter", "model", model, "answer", e.Message)
		return true
	}
	return false
}
