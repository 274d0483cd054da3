package demo

import (
	"fmt"
	"strings"
)

// think decides on the next reply, from the talk alone.
func think(t *talk) reply {
	var r reply
	switch {
	case t.offers("attempt_completion") == "":
		r = reply{text: whoAmI}
	case aboutWeather(t.task):
		r = weather(t)
	case strings.Contains(strings.ToLower(t.task), "discount"):
		r = fixDiscount(t)
	default:
		r = complete(whoAmI, nil)
	}
	if r.tool != "" {
		r.id = fmt.Sprintf("call_%d", t.calls+1)
	}
	return r
}

const whoAmI = "I am the scripted model of clined's demo, a small program and no language model. " +
	"I can tell tomorrow's weather in New York or Washington, and repair the discount of the demo shop. " +
	"For anything else configure a real model: set baseUrl, model and apiKey in settings.json, or OPENAI_BASE_URL and OPENAI_API_KEY."

// complete ends the task; items is the checklist with everything ticked.
func complete(result string, items []string) reply {
	args := ordered{{"result", result}}
	if len(items) > 0 {
		args = append(args, pair{"task_progress", checklist(items, len(items))})
	}
	return reply{tool: "attempt_completion", args: args}
}

// checklist writes the items, the first n of them ticked.
func checklist(items []string, n int) string {
	lines := make([]string, len(items))
	for i, item := range items {
		mark := " "
		if i < n {
			mark = "x"
		}
		lines[i] = "- [" + mark + "] " + item
	}
	return strings.Join(lines, "\n")
}

// ordered is a JSON object whose keys keep their order, as a model writes them.
type ordered []pair

type pair struct {
	key   string
	value any
}

// MarshalJSON writes the pairs in order.
func (o ordered) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, p := range o {
		if i > 0 {
			out = append(out, ',')
		}
		k, err := encode(p.key)
		if err != nil {
			return nil, err
		}
		v, err := encode(p.value)
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, k...), ':'), v...)
	}
	return append(out, '}'), nil
}
