package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Args are the decoded arguments of a call. The readers below are lenient in
// what models get wrong harmlessly ("5" for 5) and return the zero value for
// what is missing; Validate is what complains, so call it first.
type Args map[string]json.RawMessage

// ParseArgs decodes the text of a call's arguments as the model wrote it. ""
// and null are no arguments. An error is for the model: it says what is wrong
// and where.
func ParseArgs(text string) (Args, error) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || trimmed == "null" {
		return Args{}, nil
	}
	var args Args
	if err := json.Unmarshal([]byte(trimmed), &args); err != nil {
		return nil, argsError(trimmed, err)
	}
	if key := contradiction(trimmed); key != "" {
		return nil, fmt.Errorf("the arguments hold %q twice with different values; nothing was done: send the call again with one of them", key)
	}
	return args, nil
}

// argsError words a JSON error with its place in text.
func argsError(text string, err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return errors.New("the arguments must be one JSON object, such as {\"path\": \"a.txt\"}; nothing was done: send the call again")
	}
	at := min(max(int(syntax.Offset), 0), len(text))
	before := text[max(0, at-40):at]
	for len(before) > 0 && !utf8.RuneStart(before[0]) {
		before = before[1:]
	}
	hint := ""
	if strings.Contains(err.Error(), "in string literal") {
		hint = " (inside strings write \\n for a line break, \\t for a tab and \\\\ for a backslash)"
	}
	return fmt.Errorf("the arguments are not valid JSON: %s at character %d, right after %q%s; nothing was done: send the call again",
		err, utf8.RuneCountInString(text[:at]), strings.ToValidUTF8(before, "\uFFFD"), hint)
}

// contradiction returns a key that the valid JSON object text holds twice with
// different values, "" if none. Plain decoding would silently take the last.
func contradiction(text string) string {
	dec := json.NewDecoder(strings.NewReader(text))
	seen := map[string]json.RawMessage{}
	for _, err := dec.Token(); err == nil && dec.More(); {
		key, err := dec.Token()
		if err != nil {
			return ""
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return ""
		}
		name, _ := key.(string)
		if first, ok := seen[name]; ok && !bytes.Equal(first, value) {
			return name
		}
		seen[name] = value
	}
	return ""
}

// Has reports whether name was given; null counts as not given, an empty text
// as given.
func (a Args) Has(name string) bool {
	raw, ok := a[name]
	return ok && len(raw) > 0 && !bytes.Equal(bytes.TrimSpace(raw), []byte("null"))
}

// String returns a text; numbers, booleans, arrays and objects come as their
// JSON text.
func (a Args) String(name string) string {
	if !a.Has(name) {
		return ""
	}
	var s string
	if json.Unmarshal(a[name], &s) == nil {
		return s
	}
	return string(bytes.TrimSpace(a[name]))
}

// Int returns an integer given as 5, 5.0 or "5".
func (a Args) Int(name string) (n int, ok bool) {
	f, err := strconv.ParseFloat(strings.TrimSpace(a.String(name)), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int(f), true
}

// Bool returns a truth given as true or "true".
func (a Args) Bool(name string) bool {
	return strings.EqualFold(strings.TrimSpace(a.String(name)), "true")
}

// Strings returns a list given as a JSON array or as a text that holds one. A
// text that holds none is a list of one; elements that are no texts come as
// their JSON text.
func (a Args) Strings(name string) []string {
	if !a.Has(name) {
		return nil
	}
	elems, ok := a.Array(name)
	if !ok {
		if s := a.String(name); strings.TrimSpace(s) != "" {
			return []string{s}
		}
		return nil
	}
	list := make([]string, 0, len(elems))
	for _, e := range elems {
		if one := (Args{"": e}); one.Has("") {
			list = append(list, one.String(""))
		}
	}
	return list
}

// Array returns the elements of a JSON array or of a text that holds one.
func (a Args) Array(name string) (elems []json.RawMessage, ok bool) {
	ok = a.Has(name) && json.Unmarshal([]byte(a.String(name)), &elems) == nil
	return elems, ok
}

// Object returns a JSON object or one that a text holds; "" is the empty one.
func (a Args) Object(name string) (Args, error) {
	return ParseArgs(a.String(name))
}

// ChecklistParam carries the task's checklist in calls of built-in tools.
const ChecklistParam = "task_progress"

// StripChecklist returns args without the checklist, and the checklist. With
// own, the parameter belongs to the tool itself and stays where it is. args is
// not changed.
func StripChecklist(args Args, own bool) (stripped Args, checklist string) {
	if _, ok := args[ChecklistParam]; !ok || own {
		return args, ""
	}
	stripped = make(Args, len(args))
	for k, v := range args {
		if k != ChecklistParam {
			stripped[k] = v
		}
	}
	return stripped, strings.Join(args.Strings(ChecklistParam), "\n")
}
