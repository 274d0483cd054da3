package scenario

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"

	"clined/internal/event"

	"golang.org/x/tools/txtar"
)

// update rewrites the golden parts of the stories that are played.
var update = flag.Bool("update", false, "rewrite the golden events of scenarios")

// goldenName is the part of a file that holds all events of a story but deltas,
// one a line, without what differs from run to run.
const goldenName = "want-events"

// checkEvents compares the events with the story's golden part, if it has one.
func (s *Stage) checkEvents(file string, ar *txtar.Archive) {
	s.t.Helper()
	for i := range ar.Files {
		f := &ar.Files[i]
		if f.Name != goldenName {
			continue
		}
		got := s.goldenEvents()
		if got == string(f.Data) {
			return
		}
		if !*update {
			s.t.Errorf("the events differ from the golden ones (go test -update rewrites them):\n%s\nwant:\n%s", got, f.Data)
			return
		}
		f.Data = []byte(got)
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
			s.t.Error(err)
		}
	}
}

// goldenEvents writes the events in a stable form.
func (s *Stage) goldenEvents() string {
	var b strings.Builder
	names := map[string]string{}
	for _, p := range s.Editor.Events() {
		switch p.Event.Event.(type) {
		case event.MessageDelta, event.ToolCallDelta:
			continue // how a text is cut depends on time
		}
		raw, err := json.Marshal(p.Event)
		if err != nil {
			s.t.Errorf("event %d: %v", p.Seq, err)
			continue
		}
		fmt.Fprintln(&b, s.stable(string(raw), names))
	}
	return b.String()
}

var (
	uuids  = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}`)
	millis = regexp.MustCompile(`\b\d+(\.\d+)?m?s\b`)
)

// stable replaces what differs from run to run: ids by numbers in the order of
// their first sight, the folder, and durations.
func (s *Stage) stable(line string, names map[string]string) string {
	line = strings.NewReplacer(s.ws, "$WS", s.dir, "$DIR", `\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(line)
	line = uuids.ReplaceAllStringFunc(line, func(id string) string {
		if names[id] == "" {
			names[id] = fmt.Sprintf("id-%d", len(names)+1)
		}
		return names[id]
	})
	return string(bytes.TrimSpace(millis.ReplaceAll([]byte(line), []byte("…s"))))
}
