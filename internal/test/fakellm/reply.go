package fakellm

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Reply is one entry of a script: what is expected of the request it answers,
// and what is sent.
type Reply struct {
	// Line of the script, for messages.
	Line int
	// Conversation groups the requests whose prefix must be stable; "" is one too.
	Conversation string
	// Breaks are the parts (system, tools, messages) that may differ from the
	// request before.
	Breaks  map[string]bool
	Expects []Expect

	// Status other than 0 answers with an HTTP failure of Header and Body.
	Status int
	Header http.Header
	Body   string

	// Steps are sent in order.
	Steps []Step
	// Finish is the finish_reason: "" for the one that fits, "none" for null
	// and then [DONE], "missing" for a clean end without either.
	Finish string
	// Usage as reported; nil with NoUsage.
	Usage   Usage
	NoUsage bool
	// Whole answers with one JSON object instead of a stream.
	Whole bool
	// Split sends each byte on its own.
	Split bool
	// Pace is waited before each piece of text and arguments.
	Pace time.Duration
	// Cut closes the connection after so many bytes.
	Cut *Cut

	// number counts the replies of a server from 1.
	number int
	// raw is true when the script writes the stream itself: nothing is added.
	raw bool
}

// Usage as the provider counts: Prompt includes Cached.
type Usage struct{ Prompt, Completion, Cached int }

// Cut is where a connection ends; Clean ends the body as if it were complete.
type Cut struct {
	After int
	Clean bool
}

// Step is one thing sent, or a wait.
type Step struct {
	// Verb is text, think, call, raw, comment, garbage, hold, pause.
	Verb string
	// Pause is how long a pause takes.
	Pause time.Duration
	// Text of the verb; the arguments of a call; the name of a hold.
	Text string
	// ID ("" for one made up) and Name of a call.
	ID, Name string
}

// Expect is a condition on the request.
type Expect struct {
	// Where is "request" (all of it), "last" (what is new since the last
	// answer) or "tools" (their names).
	Where string
	Not   bool
	Text  string
}

// check returns the conditions that the request does not meet.
func (r *Reply) check(req *Request) problems {
	var p problems
	for _, e := range r.Expects {
		text := req.View()
		switch e.Where {
		case "last":
			text = req.Newest()
		case "tools":
			text = " " + strings.Join(req.ToolNames(), " ") + " "
		}
		found := strings.Contains(text, e.Text)
		if e.Where == "tools" {
			found = strings.Contains(text, " "+e.Text+" ")
		}
		if found == e.Not {
			p.add("%s", e.failure(text))
		}
	}
	return p
}

func (e Expect) failure(text string) string {
	const most = 3000
	if len(text) > most {
		text = "… " + text[len(text)-most:]
	}
	verb := "does not contain"
	if e.Not {
		verb = "contains"
	}
	return fmt.Sprintf("the %s %s %q:\n%s", e.Where, verb, e.Text, text)
}
