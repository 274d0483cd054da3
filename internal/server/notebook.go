package server

import (
	"context"
	"strings"
	"sync"
)

// notebook puts a task's Markdown on disk, behind the back of who tells it.
type notebook struct {
	// note is Task.Note; opened is called once, when the file is there.
	note   func(markdown string) (path string, err error)
	opened func(path string)
	// failed is told of the first failure.
	failed func(err error)
	wg     sync.WaitGroup

	mu      sync.Mutex // guards the rest
	waiting strings.Builder
	// written is closed when nothing waits any more; nil when nothing does.
	written chan struct{}
	path    string
	broken  bool
}

// add appends text and never waits for the disk.
func (n *notebook) add(text string) {
	if text == "" {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.waiting.WriteString(text)
	if n.written == nil {
		n.written = make(chan struct{})
		n.wg.Go(n.write)
	}
}

func (n *notebook) write() {
	for {
		n.mu.Lock()
		text := n.waiting.String()
		n.waiting.Reset()
		if text == "" {
			close(n.written)
			n.written = nil
			n.mu.Unlock()
			return
		}
		n.mu.Unlock()
		n.put(text)
	}
}

func (n *notebook) put(text string) {
	path, err := n.note(text)
	n.mu.Lock()
	first, failed := n.path == "" && err == nil, !n.broken && err != nil
	if err == nil {
		n.path = path
	}
	n.broken = err != nil
	n.mu.Unlock()
	switch {
	case first:
		n.opened(path)
	case failed:
		n.failed(err)
	}
}

// file returns the file's path once what was added is in it, "" for none.
func (n *notebook) file(ctx context.Context) string {
	n.mu.Lock()
	written := n.written
	n.mu.Unlock()
	if written != nil {
		select {
		case <-written:
		case <-ctx.Done():
		}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.path
}

// close waits until all is written; nothing is added after it.
func (n *notebook) close() { n.wg.Wait() }
