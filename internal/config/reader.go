package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// maxProblems of one source are told one by one; a file may hold thousands.
const maxProblems = 50

// maxBrackets bounds how deep a file can be nested: the parser goes as deep, and
// a stack that overflows ends the process.
const maxBrackets = 10_000

var bom = []byte("\ufeff")

func withoutBOM(text []byte) []byte { return bytes.TrimPrefix(text, bom) }

// reader fills a layer from JSON text.
type reader struct {
	layer    Layer
	text     []byte
	lines    []int // where they begin; made when first needed
	wire     bool  // positions mean nothing to the user
	problems []Problem
	// untold counts the problems beyond maxProblems.
	untold int
}

func (r *reader) read() {
	if len(r.text) > maxFile {
		r.broken(0, "it is larger than 1 MiB")
		return
	}
	root, err := parse(r.text)
	if err != nil {
		r.broken(err.offset, err.message)
		return
	}
	if object, ok := root.Value.(*hujson.Object); ok {
		r.object(object, "")
	} else {
		r.broken(root.StartOffset, "it is not an object in braces")
	}
	if r.untold > 0 {
		r.problems = append(r.problems, Problem{Level: slog.LevelWarn, Source: r.layer.Source,
			Message: fmt.Sprintf("there are %d more problems", r.untold), Hint: "mend those above first"})
	}
}

// parseError is a fault in JSON with its place in the text.
type parseError struct {
	offset  int
	message string
}

// parse reads JSON with comments, without a byte order mark. Blanks and
// comments alone are an empty object, which then lies behind the text.
func parse(text []byte) (hujson.Value, *parseError) {
	if bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > maxBrackets {
		return hujson.Value{}, &parseError{0, "it holds too many brackets"}
	}
	ended := append(bytes.Clone(text), '\n') // hujson refuses a last line that is an unended comment
	root, err := hujson.Parse(ended)
	if err == nil {
		return root, nil
	}
	if empty, none := hujson.Parse(append(bytes.Clone(ended), "{}"...)); none == nil {
		return empty, nil
	}
	return root, syntaxError(ended, err)
}

func (r *reader) object(o *hujson.Object, prefix string) {
	for _, m := range o.Members {
		name := prefix + nameOf(m)
		key, known := findKey(name)
		switch child, isObject := m.Value.Value.(*hujson.Object); {
		case m.Value.Value.Kind() == 'n': // null: not set
		case known && key.Type == Costs && isObject:
			r.prices(key, child, m.Value)
		case known:
			r.set(key, m.Value)
		case isObject && isGroup(name):
			r.object(child, name+".")
		case isGroup(name):
			r.refuse(m.Value.StartOffset, name, "an object in braces")
		case prefix == "" && name == "$schema": // for editors
		case len(r.problems) >= maxProblems: // looking for names takes time
			r.untold++
			r.layer.damaged = true
		default:
			hint, meant := suggest(name)
			r.layer.damaged = r.layer.damaged || forbids(name) || forbids(meant)
			r.add(slog.LevelWarn, m.Name.StartOffset, name, fmt.Sprintf("there is no setting %q", short(name)), hint)
		}
	}
}

// nameOf is a member's name, unquoted.
func nameOf(m hujson.ObjectMember) string {
	literal, _ := m.Name.Value.(hujson.Literal)
	return literal.String()
}

// plain is a value as JSON proper.
func plain(v hujson.Value) json.RawMessage {
	v = v.Clone()
	v.Standardize()
	return v.Pack()
}

func (r *reader) set(k Key, v hujson.Value) {
	if data, ok := k.decode(plain(v)); ok {
		line, column := r.place(v.StartOffset)
		r.again(k, v)
		r.layer.put(value{key: k, data: data, line: line, column: column})
		return
	}
	r.layer.damaged = r.layer.damaged || forbids(k.Name)
	p := k.refused("", k.Name)
	r.add(p.Level, v.StartOffset, k.Name, p.Message, p.Hint)
}

// again tells of a key that the file has set before.
func (r *reader) again(k Key, v hujson.Value) {
	at := slices.IndexFunc(r.layer.values, func(old value) bool { return old.key.Name == k.Name })
	if at < 0 {
		return
	}
	words := "twice"
	if line := r.layer.values[at].line; line > 0 {
		words += fmt.Sprintf(", in line %d and here", line)
	}
	r.add(slog.LevelWarn, v.StartOffset, k.Name, fmt.Sprintf("%q is set %s: the last one counts", k.Name, words), "delete the one that you do not want")
}

// prices looks at each price, to tell the place of a wrong one.
func (r *reader) prices(k Key, o *hujson.Object, whole hujson.Value) {
	for _, m := range o.Members {
		var p Price
		if json.Unmarshal(plain(m.Value), &p) == nil && m.Value.Value.Kind() == '{' {
			continue
		}
		name, at := k.Name+"."+short(nameOf(m)), m.Value.StartOffset
		hint := "the other settings still hold"
		if parts, ok := m.Value.Value.(*hujson.Object); ok {
			for _, part := range parts.Members {
				if word := nameOf(part); !slices.Contains(priceParts[:], word) {
					at = part.Name.StartOffset
					if n := nearest(word, priceParts[:], 3); n != "" {
						hint = fmt.Sprintf("did you mean %q?", n)
					}
					break
				}
			}
		}
		r.add(slog.LevelError, at, k.Name, fmt.Sprintf("%q must be an object with %s, each a number from 0 to %d", name, strings.Join(priceParts[:], ", "), maxPrice), hint)
		return
	}
	r.set(k, whole)
}

func (r *reader) refuse(offset int, name, expect string) {
	r.layer.damaged = r.layer.damaged || forbids(name)
	r.add(slog.LevelError, offset, name, fmt.Sprintf("%q must be %s", name, expect), "the other settings still hold")
}

func (r *reader) broken(offset int, message string) {
	r.layer.damaged = true
	r.add(slog.LevelError, offset, "", "the settings cannot be read: "+message, "mend the file; until then none of its settings hold")
}

func (r *reader) add(level slog.Level, offset int, key, message, hint string) {
	if len(r.problems) == maxProblems {
		r.untold++
		return
	}
	p := Problem{Level: level, Source: r.layer.Source, Key: short(key), Message: message, Hint: hint}
	p.Line, p.Column = r.place(offset)
	r.problems = append(r.problems, p)
}

// place returns line and column, 1-based and in bytes; 0 on the wire.
func (r *reader) place(offset int) (line, column int) {
	if r.wire {
		return 0, 0
	}
	if r.lines == nil {
		r.lines = lineStarts(r.text)
	}
	return placeIn(r.lines, min(offset, len(r.text)))
}

// lineStarts are the offsets at which the lines of a text begin.
func lineStarts(text []byte) []int {
	starts := []int{0}
	for i, b := range text {
		if b == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func placeIn(starts []int, offset int) (line, column int) {
	i, found := slices.BinarySearch(starts, offset)
	if !found {
		i--
	}
	return i + 1, offset - starts[i] + 1
}

// syntaxError takes the place out of hujson's error, and what it quotes of the
// file: that may be a secret.
func syntaxError(text []byte, err error) *parseError {
	var line, column int
	if n, _ := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &column); n != 2 {
		return &parseError{0, "it is not valid JSON"}
	}
	_, message, _ := strings.Cut(err.Error(), ": ")
	_, message, _ = strings.Cut(message, ": ")
	offset := 0
	for range line - 1 {
		offset += bytes.IndexByte(text[offset:], '\n') + 1
	}
	switch {
	case strings.HasPrefix(message, "invalid literal"):
		message = "a value is not valid JSON: names and texts stand in double quotes, on one line"
	case strings.HasSuffix(message, "unexpected EOF"):
		message = "the file ends too early: a bracket, quote or comment is not closed"
	}
	return &parseError{offset + column - 1, message}
}
