package demo

import (
	"fmt"
	"strings"
)

// think decides on the next reply, from the talk alone.
func think(t *talk) reply {
	var r reply
	switch {
	case t.offers("attempt_completion") == "", t.tried("attempt_completion") > 1:
		return reply{text: t.introduction()}
	case aboutWeather(t.task):
		r = weather(t)
	case t.aboutDiscount():
		r = fixDiscount(t)
	case aboutHello(t.task):
		r = hello(t)
	case aboutCommand(t.task):
		r = count(t)
	default:
		r = complete(t.introduction())
	}
	if plan := t.offers("plan_mode_respond"); r.tool == "attempt_completion" && t.planning && plan != "" {
		r = respond(plan, r)
	}
	if t.guest && len(t.steps) == t.since { // a guest shows all that a real model may
		r.thought = firstThought(t.task)
	}
	if r.tool != "" {
		r.id = fmt.Sprintf("call_%d", len(t.steps)+1)
	}
	return r
}

// firstThought is what the model thinks of a wish before it begins.
func firstThought(task string) string {
	switch {
	case aboutWeather(task):
		return "The user asks for the weather. For that I need coordinates: the folder may have some, else I know those of a few cities. Then the weather server can tell the forecast."
	case aboutHello(task):
		return "The user wants a file. It must be a new one, so I look first at what is there, and then propose a text that they can change."
	case aboutCommand(task):
		return "The user wants to see a command run. It should change nothing and take a few seconds, so that its output can be watched."
	}
	return "This is none of the few things that I know. I will say what I can do."
}

// known reports whether words name something that the model can do.
func known(words string) bool {
	return aboutWeather(words) || aboutDiscount(words) || aboutHello(words) || aboutCommand(words)
}

// aboutDiscount: a guest repairs nothing of what is there.
func (t *talk) aboutDiscount() bool { return !t.guest && aboutDiscount(t.task) }

// tried counts the calls of a tool in this task.
func (t *talk) tried(tool string) int {
	n := 0
	for _, s := range t.steps[t.since:] {
		if s.tool == tool {
			n++
		}
	}
	return n
}

// introduction says what the model is, and what one can ask it here.
func (t *talk) introduction() string {
	if t.guest {
		return guestIntroduction()
	}
	return whoAmI
}

const whoAmI = "I am the scripted model of clined's demo, a small program and no language model. " +
	"I can tell tomorrow's weather in New York or Washington, repair the discount of the demo shop, create a small file, and run a command. " +
	"For anything else configure a real model: set baseUrl, model and apiKey in settings.json, or OPENAI_BASE_URL and OPENAI_API_KEY."

// GuestExamples are prompts that the model understands where it is a guest.
func GuestExamples() []string {
	return []string{"What is the weather in New York tomorrow?", "Create a file that says hello.", "Run a command in the terminal."}
}

func guestIntroduction() string {
	return "I am the scripted model of clined's demo: a small program inside clined and **no language model**, so I understand only a few things. Ask me:\n\n- " +
		strings.Join(GuestExamples(), "\n- ") +
		"\n\nEverything asks you first as it would with a real model, and no file that you have is changed. For anything else set up a real model."
}

// GuestNotice tells a user that the model of the demo answers.
const GuestNotice = "this is a demo: a scripted model inside clined answers, no language model"

// GuestHint tells what they can ask it.
func GuestHint() string { return "ask it: " + strings.Join(GuestExamples(), " / ") }

// complete ends the task.
func complete(result string) reply {
	return reply{tool: "attempt_completion", args: ordered{{"result", result}}}
}

// respond makes the answer of plan mode of one that would end a task.
func respond(tool string, r reply) reply {
	args := ordered{{"response", r.args.(ordered)[0].value}}
	return reply{text: r.text, tool: tool, args: append(args, r.args.(ordered)[1:]...)}
}

// with adds the checklist: of items, those whose number is in done are ticked.
func (r reply) with(items []string, done ...int) reply {
	r.args = append(r.args.(ordered), pair{"task_progress", checklist(items, done)})
	return r
}

func checklist(items []string, done []int) string {
	lines := make([]string, len(items))
	for i, item := range items {
		lines[i] = "- [ ] " + item
	}
	for _, i := range done {
		lines[i] = "- [x] " + items[i]
	}
	return strings.Join(lines, "\n")
}

// call asks for a tool.
func call(text, tool string, args ordered) reply { return reply{text: text, tool: tool, args: args} }

// oneLine puts a result on one line, shortened.
func oneLine(s string, most int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(r)
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
