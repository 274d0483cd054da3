package openai

import (
	"bytes"
	"encoding/json"
	"html"
	"strings"
	"time"
)

// fault is what a server says about a failure, in whatever form it says so.
type fault struct {
	// message is the innermost text: gateways wrap that of their provider.
	message string
	// words are codes, types and reasons ("insufficient_quota", "overloaded_error").
	words []string
	// status is an HTTP status given in the text, 0 for none.
	status int
	// retry is a delay given in the text, 0 for none.
	retry time.Duration
}

// faultIn finds an error object in a chunk of a stream: {"error":…}, which is
// an object or a text, or, where there are no choices, {"type":"error",…},
// {"object":"error",…} and {"detail":…}.
func faultIn(raw json.RawMessage, c *chunk) (fault, bool) {
	named := scalar(c.Type) == "error" || scalar(c.Object) == "error" || len(c.Detail) > 0
	if !meansError(c.Error) && (len(c.Choices) > 0 || !named) {
		return fault{}, false
	}
	return parseFault(raw), true
}

// meansError tells an error from the ways to write that there is none.
func meansError(raw json.RawMessage) bool {
	switch string(bytes.TrimSpace(raw)) {
	case "", "null", `""`, "{}", "[]", "false":
		return false
	}
	return true
}

// firstOfList unwraps the list in which Google's servers put an error.
func firstOfList(raw json.RawMessage) json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil && len(list) > 0 {
		return list[0]
	}
	return raw
}

// parseFault reads the body of a failure.
func parseFault(body []byte) fault {
	var f fault
	body = bytes.TrimSpace(body)
	if o, ok := parseObject(firstOfList(body)); ok {
		f.read(o, 0)
	} else if isPage(body) {
		f.message = pageText(body)
	} else {
		f.message = string(body)
	}
	if f.retry == 0 {
		f.retry = delayInText(f.message)
	}
	return f
}

// read goes from the outside in; an inner message replaces an outer one.
func (f *fault) read(o object, depth int) {
	if depth > 6 {
		return
	}
	for _, key := range []string{"title", "error", "msg", "error_msg", "error_description", "detail", "details", "message"} {
		if s := scalar(valueOf(o, key)); s != "" {
			f.text(s, depth)
		}
	}
	if path := pathText(valueOf(o, "loc")); path != "" && f.message != "" {
		f.message = path + ": " + f.message
	}
	for _, key := range []string{"code", "status", "status_code", "statusCode", "type", "reason"} {
		f.word(valueOf(o, key))
	}
	if d, err := time.ParseDuration(scalar(valueOf(o, "retryDelay"))); err == nil {
		f.retry = d
	}
	for _, key := range []string{"error", "errors", "detail", "details", "metadata"} {
		f.inner(valueOf(o, key), depth)
	}
	if raw := scalar(valueOf(o, "raw")); raw != "" {
		f.text(raw, depth)
	}
}

// pathText is the place of a validation error: ["body","messages",2] (FastAPI).
func pathText(raw json.RawMessage) string {
	var steps []json.RawMessage
	if json.Unmarshal(raw, &steps) != nil {
		return ""
	}
	names := make([]string, len(steps))
	for i, s := range steps {
		names[i] = scalar(s)
	}
	return strings.Join(names, ".")
}

func (f *fault) inner(raw json.RawMessage, depth int) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	for _, one := range list {
		if o, ok := parseObject(one); ok {
			f.read(o, depth+1)
		}
	}
}

// text takes a message, which may itself be the JSON of an error.
func (f *fault) text(s string, depth int) {
	if o, ok := parseObject(json.RawMessage(s)); ok && json.Valid([]byte(s)) {
		f.read(o, depth+1)
		return
	}
	f.message = s
}

func (f *fault) word(raw json.RawMessage) {
	if n, ok := number(raw); ok {
		if n >= 400 && n < 600 {
			f.status = n
		}
		return
	}
	if s := scalar(raw); s != "" && len(s) < 100 {
		f.words = append(f.words, s)
	}
}

var (
	pageTitle = pattern(`(?is)<title[^>]*>(.*?)</title>`)
	pageNoise = pattern(`(?is)<(script|style)\b.*?</(script|style)>|<[^>]*>`)
)

func isPage(body []byte) bool { return bytes.HasPrefix(body, []byte("<")) }

// pageText is a web page in a few words: its title, or its text.
func pageText(body []byte) string {
	text := pageNoise().ReplaceAllString(string(body), " ")
	if m := pageTitle().FindSubmatch(body); m != nil && len(bytes.TrimSpace(m[1])) > 0 {
		text = string(m[1])
	}
	return "a web page instead of an answer: " + shorten(html.UnescapeString(text), 120)
}

// shorten puts a text on one line of at most n characters.
func shorten(s string, n int) string {
	runes := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(s, "�")), " "))
	if len(runes) <= n {
		return string(runes)
	}
	return string(runes[:n-1]) + "…"
}
