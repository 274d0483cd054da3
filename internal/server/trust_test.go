package server

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"clined/internal/protocol"
)

// ShowMessageRequest shows a message by the channel and waits for the title chosen.
func (c *fakeClient) ShowMessageRequest(ctx context.Context, p *protocol.ShowMessageRequestParams) (*protocol.MessageAction, error) {
	if c.messages == nil {
		return nil, nil
	}
	answer := make(chan string)
	c.messages <- shownMessage{p.Message, answer}
	select {
	case title := <-answer:
		return &protocol.MessageAction{Title: title}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

type shownMessage struct {
	text   string
	answer chan<- string
}

func (r *rig) nextMessage() shownMessage {
	r.t.Helper()
	select {
	case m := <-r.client.messages:
		return m
	case <-time.After(hang):
		r.t.Fatal("no message came")
		panic("unreachable")
	}
}

func TestTrust(t *testing.T) {
	r := connect(t)
	r.client.messages = make(chan shownMessage, 10)
	r.initialize(`{"capabilities":{}}`)
	wants := func(root, hash, want string) {
		r.backend.spec.Untrusted(Untrusted{Root: root, File: root + "/f", Hash: hash, Wants: []string{want}})
	}
	wants("/first", "1", "a = 1")
	wants("/first", "1", "a = 1") // told at each look at the settings
	wants("/long", "2", strings.Repeat("x", trustText+1))
	wants("/second", "3", "b = 2")
	r.settle()
	select {
	case m := <-r.client.messages:
		t.Fatalf("asked before the handshake was over: %s", m.text)
	default:
	}
	r.notify(protocol.MethodInitialized, `{}`)
	for _, tt := range []struct{ has, answer string }{
		{"a = 1", "Not now"},
		{"b = 2", "Trust these settings"},
	} {
		m := r.nextMessage()
		if !strings.Contains(m.text, tt.has) {
			t.Errorf("the message is %q, want it to tell of %q", m.text, tt.has)
		}
		m.answer <- tt.answer
	}
	wants("/first", "1", "a = 1")
	wants("/first", "4", "c = 3")
	m := r.nextMessage()
	if !strings.Contains(m.text, "c = 3") {
		t.Errorf("the message is %q, want it to tell of what changed", m.text)
	}
	r.backend.mu.Lock()
	defer r.backend.mu.Unlock()
	if got := fmt.Sprint(r.backend.trusted); got != "[/second 3]" {
		t.Errorf("trusted: %s", got)
	}
	// The last question is open when the editor leaves.
}

// A client of our own that shows no messages is not asked.
func TestTrustWithoutMessages(t *testing.T) {
	r := connect(t)
	r.client.messages = make(chan shownMessage, 1)
	r.initialize(`{"capabilities":` + bare + `}`)
	r.notify(protocol.MethodInitialized, `{}`)
	r.backend.spec.Untrusted(Untrusted{Root: "/w", Hash: "1", Wants: []string{"a = 1"}})
	r.notify(protocol.MethodExit, `{}`)
	r.ends(ExitUnclean)
	if len(r.client.messages) != 0 {
		t.Errorf("asked: %s", (<-r.client.messages).text)
	}
}
