package daemon

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"clined/internal/approval"
)

// Several daemons write one file; every decision is in it once, whole.
func TestAudit(t *testing.T) {
	state := t.TempDir()
	var all sync.WaitGroup
	const daemons, each = 4, 200
	for d := range daemons {
		all.Go(func() {
			a := newAudit(state)
			defer a.file.Close()
			for i := range each {
				e := approval.Entry{CallID: fmt.Sprintf("%d.%d", d, i), Title: strings.Repeat("ü\n", 3000), Verdict: approval.Allow}
				if err := a.Record(t.Context(), e); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	seen := map[string]int{}
	next := map[byte]int{}
	unread, err := EachDecision(state, func(e approval.Entry) bool {
		seen[e.CallID]++
		if want := fmt.Sprintf("%c.%d", e.CallID[0], next[e.CallID[0]]); e.CallID != want {
			t.Errorf("%s comes where %s should", e.CallID, want)
		}
		next[e.CallID[0]]++
		return true
	})
	if err != nil || unread != 0 || len(seen) != daemons*each {
		t.Errorf("%d decisions, %d unread, %v", len(seen), unread, err)
	}
	info, err := os.Stat(filepath.Join(state, "log", decisionsName))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// Older files come first, a half line is skipped, and nothing is no error.
func TestEachDecision(t *testing.T) {
	state := t.TempDir()
	ids := func(limit int) (ids []string, unread int) {
		t.Helper()
		unread, err := EachDecision(state, func(e approval.Entry) bool {
			ids = append(ids, e.CallID)
			return len(ids) < limit
		})
		if err != nil {
			t.Fatal(err)
		}
		return ids, unread
	}
	if got, _ := ids(9); got != nil {
		t.Errorf("decisions %q of nobody", got)
	}
	dir := filepath.Join(state, "log")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"decisions.jsonl.2": `{"callId":"a"}` + "\n",
		"decisions.jsonl.1": `{"callId":"b"}` + "\n" + `{"callId":"half`,
		"decisions.jsonl":   `{"callId":"c"}` + "\n" + `{"callId":"d"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, unread := ids(9); strings.Join(got, "") != "abcd" || unread != 1 {
		t.Errorf("%q, %d unread", got, unread)
	}
	if got, _ := ids(3); strings.Join(got, "") != "abc" {
		t.Errorf("stopped after %q", got)
	}
}

// A disk that takes nothing is told, and the next decision is tried again.
func TestAuditTellsOfFailure(t *testing.T) {
	state := t.TempDir()
	if err := os.WriteFile(filepath.Join(state, "log"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	a := newAudit(state)
	defer a.file.Close()
	if err := a.Record(t.Context(), approval.Entry{}); err == nil {
		t.Error("a file in place of the folder took a decision")
	}
	if err := os.Remove(filepath.Join(state, "log")); err != nil {
		t.Fatal(err)
	}
	if err := a.Record(t.Context(), approval.Entry{CallID: "1"}); err != nil {
		t.Error(err)
	}
	text, err := os.ReadFile(filepath.Join(state, "log", decisionsName))
	if err != nil || !bytes.Contains(text, []byte(`"callId":"1"`)) {
		t.Errorf("%s, %v", text, err)
	}
}

// A key is in no line, and no text makes a line without end.
func TestAuditKeepsNoKeys(t *testing.T) {
	state := t.TempDir()
	a := newAudit(state)
	defer a.file.Close()
	a.keys = func() []string { return []string{"", "none", "KEY-12345"} }
	long := "x" + strings.Repeat("ü", maxDecided)
	for _, e := range []approval.Entry{
		{Title: "Run `echo KEY-12345; none`", Reason: "KEY-12345", Rule: "exactly `a KEY-12345`", Feedback: "no KEY-12345KEY-12345", Tool: "KEY-12345"},
		{Title: long, Feedback: long + "KEY-12345"},
	} {
		if err := a.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(state, "log", decisionsName))
	if err != nil || bytes.Contains(text, []byte("KEY-1")) || !bytes.Contains(text, []byte("echo ***; none")) || len(text) > 3*maxDecided || bytes.Contains(text, []byte(`\ufffd`)) {
		t.Errorf("%d bytes: %.300s, %v", len(text), text, err)
	}
	if unread, err := EachDecision(state, func(approval.Entry) bool { return true }); unread != 0 || err != nil {
		t.Errorf("%d unread, %v", unread, err)
	}
}

// What a full disk left half is one line lost, not two.
func TestAuditAfterHalfALine(t *testing.T) {
	state := t.TempDir()
	a := newAudit(state)
	defer a.file.Close()
	if _, err := a.file.Write([]byte(`{"callId":"lo`)); err != nil {
		t.Fatal(err)
	}
	a.half.Store(true)
	for _, id := range []string{"1", "2"} {
		if err := a.Record(t.Context(), approval.Entry{CallID: id}); err != nil {
			t.Fatal(err)
		}
	}
	var ids string
	unread, err := EachDecision(state, func(e approval.Entry) bool { ids += e.CallID; return true })
	if ids != "12" || unread != 1 || err != nil {
		t.Errorf("%q, %d unread, %v", ids, unread, err)
	}
}
