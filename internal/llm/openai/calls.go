package openai

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"clined/internal/llm"
)

// calls puts the tool calls of a reply together from their deltas. Servers
// leave out the index, or always send 0; leave out the id after the first
// delta, or make a new one each time; send a name in pieces or again and again,
// or a whole call at once. The rules below tell a new call from more of one:
//
//   - more of a call never has a name, unless it repeats or continues its own;
//   - a call whose arguments are closed gets no more of them;
//   - a call whose arguments are open is not left for another one of its index.
//
// A call is announced when its first argument comes, as its name is whole then.
type calls struct {
	list []*call
	// byIndex is the newest call of each index, byID are all of each id: an event
	// may hold more deltas than calls can be looked through for each.
	byIndex map[int]*call
	byID    map[string][]*call
	// known tells whether a tool of that name was offered.
	known func(name string) bool
	// used holds the ids of the transcript and of this reply.
	used map[string]bool
	emit func(llm.Event)
}

type call struct {
	index int // as the server counts
	// indexed is false when the server sent no index.
	indexed bool
	id      string
	name    string
	scan    scan
	// held are arguments that were not passed on yet.
	held    string
	started bool
	// all the arguments, to recognise a repetition once they are closed.
	all strings.Builder
}

// piece is a delta with its odd types ironed out.
type piece struct {
	index    int
	indexed  bool
	id, name string
	args     string
}

// maxID is the longest id that is kept, in bytes; known ones have up to 64.
const maxID = 256

// newPiece also returns the size of the delta, in bytes.
func newPiece(d *callDelta) (p piece, size int) {
	p = piece{id: scalar(d.ID), name: strings.TrimSpace(scalar(d.Function.Name)), args: argumentText(d.Function.Arguments)}
	p.index, p.indexed = number(d.Index)
	size = len(p.id) + len(p.name) + len(p.args)
	if len(p.id) > maxID {
		p.id = commonIDs.hashed(p.id)
	}
	return p, size
}

// errEndless says that an answer goes beyond what any model says.
var errEndless = &llm.Error{Class: llm.Refused, Message: "the model's answer does not end", Hint: "try again, or choose another model"}

// add takes the call deltas of one chunk and returns their size in bytes. A
// chunk may be so large that its bounds, and the user who stops it, cannot wait
// for its end.
func (c *calls) add(ctx context.Context, deltas []callDelta) (size int, err error) {
	for i := range deltas {
		if parentDone(ctx) {
			return size, ctx.Err()
		}
		p, n := newPiece(&deltas[i])
		size += n
		if p.id == "" && p.name == "" && p.args == "" {
			continue
		}
		at := c.find(p, i > 0)
		if at == nil {
			if len(c.list) == maxCalls {
				return size, errEndless
			}
			at = c.begin(p)
		}
		c.extend(at, p)
	}
	return size, nil
}

func (c *calls) begin(p piece) *call {
	at := &call{index: p.index, indexed: p.indexed, id: p.id}
	c.list = append(c.list, at)
	if p.indexed {
		c.byIndex[p.index] = at
	}
	c.byID[p.id] = append(c.byID[p.id], at)
	return at
}

// find returns the call that p continues, nil when p begins one. second is true
// for a piece that is not the first of its chunk.
func (c *calls) find(p piece, second bool) *call {
	if len(c.list) == 0 {
		return nil
	}
	if p.id != "" {
		return c.findWithID(p)
	}
	at := c.list[len(c.list)-1]
	if p.indexed {
		if same := c.byIndex[p.index]; same != nil || p.name != "" {
			at = same
		}
	} else if second && p.name != "" {
		return nil
	}
	if at == nil || c.another(at, p) {
		return nil
	}
	return at
}

// findWithID is find for a piece with an id: a known one, one that comes late,
// or a new one for each piece of a call.
func (c *calls) findWithID(p piece) *call {
	last := c.list[len(c.list)-1]
	at := c.withID(p)
	if at != nil || !p.indexed {
		if at == nil && p.name == "" {
			return last
		}
		return at
	}
	at = c.byIndex[p.index]
	switch {
	case at != nil && (at.id == "" || p.name == "" || at.scan.open()) && !c.another(at, p):
		return at
	case p.name == "" && !last.indexed:
		return last
	}
	return nil
}

// withID returns the newest call of p's id, unless p must be another of the same id.
func (c *calls) withID(p piece) *call {
	for _, at := range slices.Backward(c.byID[p.id]) {
		if !(p.indexed && at.indexed && p.index != at.index) && !c.another(at, p) {
			return at
		}
	}
	return nil
}

// another reports whether p, though it seems to belong to at, is a call of its own.
func (c *calls) another(at *call, p piece) bool {
	if p.name == "" {
		return false
	}
	if at.scan.closed && at.all.String() != "{}" {
		return p.args != "" && p.args != at.all.String() || p.name != at.name
	}
	// Two whole names: not the pieces of one.
	return p.name != at.name && c.known(p.name) && c.known(at.name) && !at.scan.open()
}

func (c *calls) extend(at *call, p piece) {
	if at.id == "" && p.id != "" {
		at.id = p.id
		c.byID[p.id] = append(c.byID[p.id], at)
	}
	if !at.started {
		at.name = c.mergeName(at.name, p.name)
	}
	switch {
	case p.args == "" || at.scan.closed && p.args == at.all.String():
		return
	case at.held == "{}" && strings.HasPrefix(strings.TrimSpace(p.args), "{"):
		// An empty object stood in for arguments that come only now.
		at.held, at.scan = "", scan{}
		at.all.Reset()
	}
	at.scan.add(p.args)
	at.all.WriteString(p.args)
	at.held += p.args
	if at.name != "" && at.held != "{}" {
		c.start(at)
	}
}

// mergeName adds a piece of a name. Servers send the pieces, or all so far, or
// the whole again.
func (c *calls) mergeName(have, more string) string {
	switch {
	case c.known(have+more) && !c.known(have):
		return have + more
	case more == have || more == "":
		return have
	case strings.HasPrefix(more, have):
		return more
	}
	return have + more
}

// start announces a call, and those before it that had no arguments.
func (c *calls) start(until *call) {
	for i, at := range c.list {
		if !at.started && at.name != "" {
			at.started = true
			c.emit(llm.Event{Kind: llm.CallStart, Index: i, ID: c.freshID(at.id), Name: at.name})
		}
		if at.started && at.held != "" {
			c.emit(llm.Event{Kind: llm.CallDelta, Index: i, Text: at.held})
			at.held = ""
		}
		if at == until {
			return
		}
	}
}

// finish announces what is left. A call that never got a name is passed on
// without one: the model is told so, instead of its call being lost.
func (c *calls) finish() {
	for _, at := range c.list {
		if at.name == "" {
			at.name = "unnamed"
		}
	}
	if len(c.list) > 0 {
		c.start(c.list[len(c.list)-1])
	}
}

// open reports whether a call's arguments stop in the middle.
func (c *calls) open() bool {
	for _, at := range c.list {
		if at.scan.open() {
			return true
		}
	}
	return false
}

// freshID returns the server's id if it can serve as one, else one of ours.
func (c *calls) freshID(theirs string) string {
	id := theirs
	for n := len(c.used) + 1; id == "" || c.used[id]; n++ {
		id = fmt.Sprintf("call_%d", n)
	}
	c.used[id] = true
	return id
}
