package config

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// entry is a new member; with a group (such as "log.") it is in braces of its
// own.
type entry struct {
	group, name string
	value       json.RawMessage
}

// text is the entry at an indent; with oneLine it has no line ends of its own.
func (p *patcher) textOf(e entry, indent string, oneLine bool) string {
	name := strconv.Quote(e.name) + ": "
	if e.group == "" {
		if oneLine {
			return name + p.spaced(e.value)
		}
		return name + p.format(e.value, indent)
	}
	open, inner, shut := "{", "", "}"
	if !oneLine {
		inner = indent + p.unit()
		open, shut = "{"+p.eol()+inner, p.eol()+indent+"}"
	}
	return strconv.Quote(strings.TrimSuffix(e.group, ".")) + ": " + open + p.textOf(entry{name: e.name, value: e.value}, inner, oneLine) + shut
}

// begin writes the braces of a file that has none.
func (p *patcher) begin(e entry) {
	eol, before := p.eol(), ""
	if len(p.text) > 0 && p.text[len(p.text)-1] != '\n' {
		before = eol
	}
	text := before + "{" + eol + p.unit() + p.textOf(e, p.unit(), false) + eol + "}" + eol
	p.edits = append(p.edits, edit{len(p.text), len(p.text), text})
}

// insert puts a member at the end of an object, in the manner of the others.
func (p *patcher) insert(o *hujson.Object, e entry) {
	open, shut := p.braces[o][0], p.braces[o][1]
	if len(o.Members) == 0 {
		p.insertFirst(open, shut, e)
		return
	}
	end := o.Members[len(o.Members)-1].Value.EndOffset
	comma := p.commaAfter(end)
	at, trailing := end, ""
	if comma >= 0 {
		at, trailing = comma+1, ","
	}
	at = p.afterComments(at)
	if !bytes.ContainsRune(p.text[open:shut], '\n') {
		between := " "
		if comma < 0 {
			between = ", "
		}
		p.edits = append(p.edits, edit{at, at, between + p.textOf(e, "", true) + trailing})
		return
	}
	if comma < 0 {
		p.edits = append(p.edits, edit{end, end, ","})
	}
	indent := p.indentIn(o)
	p.edits = append(p.edits, edit{at, at, p.eol() + indent + p.textOf(e, indent, false) + trailing})
}

// insertFirst puts a member into braces that hold at most comments.
func (p *patcher) insertFirst(open, shut int, e entry) {
	outer := p.indentAt(open)
	indent := outer + p.unit()
	at := shut
	for at > open+1 && (p.text[at-1] == ' ' || p.text[at-1] == '\t') {
		at--
	}
	text := indent + p.textOf(e, indent, false) + p.eol()
	if p.text[at-1] != '\n' {
		text = p.eol() + text + outer
	}
	p.edits = append(p.edits, edit{at, at, text})
}

// format is a value as people write it, at an indent.
func (p *patcher) format(raw json.RawMessage, indent string) string {
	var b bytes.Buffer
	if raw[0] != '{' || json.Indent(&b, raw, indent, p.unit()) != nil {
		return p.spaced(raw)
	}
	return strings.ReplaceAll(b.String(), "\n", p.eol())
}

// spaced is a value on one line.
func (p *patcher) spaced(raw json.RawMessage) string {
	var items []json.RawMessage
	if raw[0] != '[' || json.Unmarshal(raw, &items) != nil {
		return string(raw)
	}
	return "[" + string(bytes.Join(rawBytes(items), []byte(", "))) + "]"
}

func rawBytes(items []json.RawMessage) [][]byte {
	list := make([][]byte, len(items))
	for i, item := range items {
		list[i] = item
	}
	return list
}

// eol is the line end that the file uses.
func (p *patcher) eol() string {
	if bytes.Contains(p.text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// unit is one level of indent.
func (p *patcher) unit() string {
	if top, ok := p.root.Value.(*hujson.Object); ok && p.root.StartOffset < len(p.text) {
		if indent, ok := p.memberIndent(top); ok && indent != "" {
			return indent
		}
	}
	return "  "
}

// indentIn is the indent of an object's members.
func (p *patcher) indentIn(o *hujson.Object) string {
	if indent, ok := p.memberIndent(o); ok {
		return indent
	}
	return p.indentAt(p.braces[o][0]) + p.unit()
}

// memberIndent is the indent of the first member that begins a line.
func (p *patcher) memberIndent(o *hujson.Object) (string, bool) {
	for _, m := range o.Members {
		if at := m.Name.StartOffset; len(p.indentAt(at)) == at-p.lineStart(at) {
			return p.indentAt(at), true
		}
	}
	return "", false
}

// indentAt is the blank beginning of the line that an offset is in.
func (p *patcher) indentAt(offset int) string {
	line := p.text[p.lineStart(offset):offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

func (p *patcher) lineStart(offset int) int { return bytes.LastIndexByte(p.text[:offset], '\n') + 1 }

// commaAfter is the offset of the comma that follows blanks and comments, -1
// for none.
func (p *patcher) commaAfter(at int) int {
	for at < len(p.text) {
		switch rest := p.text[at:]; {
		case rest[0] == ',':
			return at
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			at++
		default:
			n := comment(rest)
			if n == 0 {
				return -1
			}
			at += n
		}
	}
	return -1
}

// afterComments is the offset behind the comments that follow on the same line.
func (p *patcher) afterComments(at int) int {
	for next := at; next < len(p.text); {
		rest := p.text[next:]
		n := comment(rest)
		switch {
		case rest[0] == ' ' || rest[0] == '\t':
			next++
		case n == 0 || bytes.ContainsRune(rest[:n], '\n'):
			return at
		default:
			next += n
			at = next
		}
	}
	return at
}

// comment is the length of the comment that a text begins with, without its
// line end; 0 for none.
func comment(text []byte) int {
	switch {
	case bytes.HasPrefix(text, []byte("//")):
		n := bytes.IndexByte(text, '\n')
		if n < 0 {
			n = len(text)
		}
		return len(bytes.TrimSuffix(text[:n], []byte("\r")))
	case bytes.HasPrefix(text, []byte("/*")):
		if n := bytes.Index(text[2:], []byte("*/")); n >= 0 {
			return n + 4
		}
	}
	return 0
}
