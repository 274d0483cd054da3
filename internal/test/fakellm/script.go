package fakellm

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Parse reads a script. Lines that are blank or begin with # are passed over;
// indentation is free. "reply" begins a reply, whose lines are:
//
//	text WORDS                     visible text, sent word by word
//	think WORDS                    reasoning text
//	call [id=ID] NAME {"a":1}      a tool call, its arguments in pieces; $HOLD(NAME)
//	                               among them waits as the verb hold does
//	usage prompt=N completion=N cached=N, or: usage none
//	finish REASON                  none: null and then [DONE]; missing: neither
//	json                           one JSON object instead of a stream
//
//	expect contains WORDS          on the request that this reply answers: the
//	expect-not contains WORDS      decoded text of all of it
//	expect-last contains WORDS     of what is new since the last answer
//	expect-last-not contains WORDS
//	expect-tools NAME…             these tools are offered
//	expect-tools-not NAME…
//	conversation NAME              whose prefix must be stable
//	break system|tools|messages    what may differ from the request before
//
//	status 529 retry-after=2 body=WORDS   an HTTP failure; any header=value
//	cut after=BYTES [clean]        the connection ends there
//	stall                          waits until released or the client goes
//	hold NAME                      waits until the test releases NAME
//	pause MS                       waits for so many milliseconds
//	pace MS                        so does each piece of text and arguments, so that
//	                               a person can watch
//	split                          every byte on its own
//	garbage                        a line that is no JSON
//	comment WORDS                  an SSE comment
//	raw WORDS                      this line verbatim; with it nothing else is
//	                               added to the stream but what verbs say
//
// WORDS are the rest of the line; in double quotes they are a Go string. WORDS
// that end in <<TAG go on with the lines up to one that is TAG, less its
// indentation.
func Parse(text string) ([]Reply, error) {
	p := parser{lines: strings.Split(text, "\n")}
	for p.at < len(p.lines) {
		line := strings.TrimSpace(p.lines[p.at])
		p.at++
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		start := p.at
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("script line %d: %w", start, err)
		}
	}
	return p.replies, nil
}

type parser struct {
	lines   []string
	at      int // the number of the line being read, from 1
	replies []Reply
}

func (p *parser) line(line string) error {
	verb, rest, _ := strings.Cut(line, " ")
	if verb == "reply" {
		p.replies = append(p.replies, Reply{Line: p.at, Breaks: map[string]bool{}, Usage: Usage{Prompt: 100, Completion: 10}})
		return nil
	}
	if len(p.replies) == 0 {
		return fmt.Errorf("%q before the first reply", verb)
	}
	r := &p.replies[len(p.replies)-1]
	if strings.HasPrefix(verb, "expect") {
		return p.expect(r, verb, rest)
	}
	words, err := p.words(rest)
	if err != nil {
		return err
	}
	switch verb {
	case "text", "think", "garbage", "comment":
		r.Steps = append(r.Steps, Step{Verb: verb, Text: words})
	case "raw":
		r.raw = true
		r.Steps = append(r.Steps, Step{Verb: verb, Text: words + "\n"})
	case "stall":
		r.Steps = append(r.Steps, Step{Verb: "hold", Text: "stall"})
	case "hold":
		r.Steps = append(r.Steps, Step{Verb: "hold", Text: words})
	case "pause":
		d, err := milliseconds(verb, words)
		r.Steps = append(r.Steps, Step{Verb: verb, Pause: d})
		return err
	case "pace":
		r.Pace, err = milliseconds(verb, words)
		return err
	case "call":
		return r.call(words)
	case "usage":
		return r.usage(words)
	case "finish":
		r.Finish = words
	case "json":
		r.Whole = true
	case "split":
		r.Split = true
	case "cut":
		return r.cut(words)
	case "status":
		return r.status(words)
	case "conversation":
		r.Conversation = words
	case "break":
		return r.allow(words)
	default:
		return fmt.Errorf("unknown verb %q", verb)
	}
	return nil
}

func milliseconds(verb, words string) (time.Duration, error) {
	n, err := strconv.Atoi(words)
	if err != nil || n < 1 || n > 60_000 {
		return 0, fmt.Errorf("%s wants milliseconds from 1 to 60000, not %q", verb, words)
	}
	return time.Duration(n) * time.Millisecond, nil
}

// words reads the rest of a line, with the lines that <<TAG adds.
func (p *parser) words(rest string) (string, error) {
	if rest = strings.TrimSpace(rest); len(rest) > 1 && rest[0] == '"' && rest[len(rest)-1] == '"' {
		return strconv.Unquote(rest)
	}
	before, tag, ok := strings.Cut(rest, "<<")
	if !ok || tag == "" || strings.ContainsAny(tag, " \t") {
		return rest, nil
	}
	for end := p.at; end < len(p.lines); end++ {
		if strings.TrimSpace(p.lines[end]) != tag {
			continue
		}
		indent, _, _ := strings.Cut(p.lines[end], tag)
		body := make([]string, 0, end-p.at)
		for _, l := range p.lines[p.at:end] {
			body = append(body, strings.TrimPrefix(l, indent))
		}
		p.at = end + 1
		return before + strings.Join(body, "\n"), nil
	}
	return "", fmt.Errorf("no line %q ends what <<%s begins", tag, tag)
}

func (p *parser) expect(r *Reply, verb, rest string) error {
	e := Expect{Where: "request"}
	verb, e.Not = strings.CutSuffix(verb, "-not")
	switch verb {
	case "expect":
	case "expect-last":
		e.Where = "last"
	case "expect-tools":
		for _, name := range strings.Fields(rest) {
			r.Expects = append(r.Expects, Expect{Where: "tools", Not: e.Not, Text: name})
		}
		return nil
	default:
		return fmt.Errorf("unknown verb %q", verb)
	}
	rest, ok := strings.CutPrefix(strings.TrimSpace(rest), "contains ")
	if !ok {
		return fmt.Errorf("%s wants: contains WORDS", verb)
	}
	words, err := p.words(rest)
	if err != nil || words == "" {
		return fmt.Errorf("%s contains what? %v", verb, err)
	}
	e.Text = words
	r.Expects = append(r.Expects, e)
	return nil
}

func (r *Reply) call(words string) error {
	s := Step{Verb: "call"}
	if rest, ok := strings.CutPrefix(words, "id="); ok {
		s.ID, words, _ = strings.Cut(rest, " ")
	}
	s.Name, s.Text, _ = strings.Cut(words, " ")
	if s.Text = strings.TrimSpace(s.Text); s.Text == "" {
		s.Text = "{}"
	}
	if s.Name == "" {
		return fmt.Errorf("a call of what?")
	}
	if strings.HasPrefix(s.Text, `"`) {
		text, err := strconv.Unquote(s.Text)
		if err != nil {
			return err
		}
		s.Text = text
	}
	r.Steps = append(r.Steps, s)
	return nil
}

func (r *Reply) usage(words string) error {
	if words == "none" {
		r.NoUsage = true
		return nil
	}
	r.Usage = Usage{}
	fields := map[string]*int{"prompt": &r.Usage.Prompt, "completion": &r.Usage.Completion, "cached": &r.Usage.Cached}
	for _, w := range strings.Fields(words) {
		key, value, _ := strings.Cut(w, "=")
		n, err := strconv.Atoi(value)
		if err != nil || fields[key] == nil {
			return fmt.Errorf("usage: %q is none of prompt=N, completion=N, cached=N", w)
		}
		*fields[key] = n
	}
	return nil
}

func (r *Reply) cut(words string) error {
	words, clean := strings.CutSuffix(words, " clean")
	after, ok := strings.CutPrefix(words, "after=")
	n, err := strconv.Atoi(after)
	if !ok || err != nil {
		return fmt.Errorf("cut wants after=BYTES")
	}
	r.Cut = &Cut{After: n, Clean: clean}
	return nil
}

func (r *Reply) status(words string) error {
	code, rest, _ := strings.Cut(words, " ")
	n, err := strconv.Atoi(code)
	if err != nil || n < 200 || n > 599 {
		return fmt.Errorf("status: %q is no HTTP status", code)
	}
	r.Status, r.Header = n, http.Header{}
	for rest != "" {
		rest = strings.TrimSpace(rest)
		key, value, ok := strings.Cut(rest, "=")
		if !ok || strings.Contains(key, " ") {
			return fmt.Errorf("status: %q is no header=value", rest)
		}
		if key == "body" {
			r.Body = value
			return nil
		}
		if strings.HasPrefix(value, `"`) {
			quoted, err := strconv.QuotedPrefix(value)
			if err != nil {
				return err
			}
			rest = value[len(quoted):]
			value, _ = strconv.Unquote(quoted) // QuotedPrefix found it well formed
		} else {
			value, rest, _ = strings.Cut(value, " ")
		}
		r.Header.Set(key, value)
	}
	return nil
}

func (r *Reply) allow(words string) error {
	for _, part := range strings.Fields(words) {
		if part != "system" && part != "tools" && part != "messages" {
			return fmt.Errorf("break: %q is none of system, tools, messages", part)
		}
		r.Breaks[part] = true
	}
	return nil
}
