package soak

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"clined/internal/test/fakellm"
)

// kind is what a call of a story does.
type kind int

const (
	command kind = iota
	write
	edit
	server
	ask
	look
	end
)

// deed is a call that the model makes, with an effect that can be looked at.
type deed struct {
	id   string
	kind kind
	// path of a file below the workspace.
	path string
	// was and is are the file's texts before and after.
	was, is string
}

// playwright is the model of a story. It goes by what it is told: the number
// of answers with calls in a request is the step that comes next.
type playwright struct {
	s *story
	// steps is how many replies with calls there are, before the story can end.
	steps int
	// sameIDs: a reply that is made again has the same call ids.
	sameIDs bool

	mu     sync.Mutex // guards the rest
	served map[int]int
	deeds  map[string]*deed
	// reached is the highest step that was asked for.
	reached int
}

// reply writes the reply to a request.
func (w *playwright) reply(req *fakellm.Request) string {
	step := 0
	for _, m := range req.Messages {
		if len(m.Calls) > 0 {
			step++
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	again := w.served[step]
	w.served[step]++
	w.reached = max(w.reached, step)
	r := rand.New(rand.NewPCG(w.s.seed, uint64(step)))
	if r.IntN(25) == 0 && again == 0 {
		return "reply\nstatus 503\n"
	}
	var b strings.Builder
	// On a busy machine the server may join after the first request.
	b.WriteString("reply\nbreak tools\n")
	if r.IntN(2) == 0 {
		b.WriteString("think Let me see what there is to do about it.\n")
	}
	if r.IntN(3) > 0 {
		fmt.Fprintf(&b, "text Step %d of the work that has to be done, in some words.\n", step)
	}
	suffix := ""
	if !w.sameIDs && again > 0 {
		suffix = fmt.Sprintf("_%d", again)
	}
	for i, k := range kinds(r, step >= w.steps) {
		if k == server && !slices.Contains(req.ToolNames(), "fake__echo") {
			k = command
		}
		w.call(&b, r, &deed{id: fmt.Sprintf("c%d_%d%s", step, i, suffix), kind: k})
	}
	if r.IntN(20) == 0 && b.Len() < 100_000 { // two million bytes one by one take minutes
		b.WriteString("split\n")
	}
	return b.String()
}

// over tells that all steps were asked for.
func (w *playwright) over() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.reached >= w.steps
}

// freshIDs ends the use of ids for a second time: of a reply that was stopped
// they are in use, and the daemon would change them.
func (w *playwright) freshIDs() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sameIDs = false
}

// all returns the calls that were made up so far, by id.
func (w *playwright) all() map[string]*deed {
	w.mu.Lock()
	defer w.mu.Unlock()
	return maps.Clone(w.deeds)
}

// kinds are the calls of a step.
func kinds(r *rand.Rand, last bool) []kind {
	if last || r.IntN(5) == 0 {
		return []kind{end}
	}
	if r.IntN(4) == 0 {
		return []kind{look, look, look}[:1+r.IntN(3)]
	}
	var list []kind
	for range 1 + r.IntN(4) {
		list = append(list, []kind{command, command, write, edit, server, look}[r.IntN(6)])
	}
	if r.IntN(6) == 0 {
		list = append(list, ask)
	}
	return list
}

// call writes a call of the reply.
func (w *playwright) call(b *strings.Builder, r *rand.Rand, d *deed) {
	name, args := "", map[string]any{}
	size := []int{0, 100, 100, 20_000, 20_000, 20_000, 2_000_000}[r.IntN(7)]
	switch d.kind {
	case command:
		name = "execute_command"
		args["command"] = fmt.Sprintf("echo %s begin >> %s; sleep 0.%02d; echo %s end >> %s", d.id, w.s.log, r.IntN(12), d.id, w.s.log)
		args["requires_approval"] = r.IntN(2) == 0
	case write:
		name = "write_to_file"
		d.path = "new/" + d.id + ".txt"
		if r.IntN(2) == 0 {
			d.path = "new/" + d.id + "/deep/file.txt"
		}
		d.is = text(d.id, size)
		args["path"], args["content"] = d.path, d.is
	case edit:
		name = "replace_in_file"
		d.path = "old/" + d.id + ".txt"
		rest := text("rest", size)
		d.was, d.is = "before "+d.id+"\n"+rest, "after "+d.id+"\n"+rest
		w.s.file(d.path, d.was)
		args["path"] = d.path
		args["diff"] = fmt.Sprintf("------- SEARCH\nbefore %s\n=======\nafter %s\n+++++++ REPLACE\n", d.id, d.id)
	case server:
		name, args["text"] = "fake__echo", d.id
	case ask:
		name, args["question"], args["options"] = "ask_followup_question", "Which one for "+d.id+"?", []string{"this", "that"}
	case look:
		switch r.IntN(3) {
		case 0:
			name, args["path"] = "read_file", "a.txt"
		case 1:
			name, args["path"] = "list_files", "."
		default:
			name, args["path"], args["regex"] = "search_files", ".", "alpha"
		}
	case end:
		name, args["result"] = "attempt_completion", "Done with "+d.id+"."
	}
	if w.deeds[d.id] == nil {
		w.deeds[d.id] = d
	}
	fmt.Fprintf(b, "call id=%s %s %s\n", d.id, name, jsonOf(args))
}

// text is a text of about n bytes that ends where one can see that it is whole.
func text(id string, n int) string {
	line := "a line of " + id + "\n"
	return "first line of " + id + "\n" + strings.Repeat(line, n/len(line)) + "last line of " + id + "\n"
}

// file makes a file of the workspace, if it is not there yet.
func (s *story) file(name, text string) {
	path := filepath.Join(s.p.ws, name)
	if _, err := os.Stat(path); err == nil {
		return
	}
	s.p.write(path, text)
}
