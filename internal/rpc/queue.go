package rpc

import (
	"errors"
	"io"
	"strconv"
	"sync"
	"time"
)

// chunk is what is written at a time, so that a slow but reading peer is told
// from one that does not read.
const chunk = 64 << 10

// hardFactor times the soft limit is where a queue is given up; the soft limit
// divided by mergeDivisor is where keyed messages begin to merge. Below it the
// peer keeps up, and gets each message as it was sent.
const (
	hardFactor   = 16
	mergeDivisor = 64
)

// item is a message that waits to be written.
type item struct {
	body []byte
	// keyed messages can merge: value replaces body when stale is set.
	method    string
	key       string
	value     any
	merge     func(older, newer any) (any, bool)
	stale     bool
	droppable bool
	size      int
}

// encoded returns the message's bytes.
func (it *item) encoded() ([]byte, error) {
	if !it.stale {
		return it.body, nil
	}
	params, err := encode(it.value)
	if err != nil {
		return nil, err
	}
	return encodeCall(0, it.method, params), nil
}

// queue is the outbound side: any number of senders, one writer, whole frames
// in the order of push. Push never waits.
type queue struct {
	soft, hard int
	stall      time.Duration
	// give up tells the connection that nothing more can be written.
	giveUp func(error)

	mu     sync.Mutex
	items  []*item
	bytes  int
	closed bool
	// tail holds the keyed items behind the last unkeyed one: merging into
	// these overtakes keyed messages only.
	tail    map[string]*item
	wake    chan struct{} // capacity 1
	flushed chan struct{} // closed when the writer has ended

	framingOnce sync.Once
	framed      chan struct{} // closed when framing is known
	framing     Framing
	aborted     chan struct{}
	abortOnce   sync.Once
}

func newQueue(soft int, stall time.Duration, giveUp func(error)) *queue {
	return &queue{
		soft: soft, hard: soft * hardFactor, stall: stall, giveUp: giveUp,
		tail: map[string]*item{}, wake: make(chan struct{}, 1), flushed: make(chan struct{}),
		framed: make(chan struct{}), aborted: make(chan struct{}),
	}
}

func (q *queue) setFraming(f Framing) {
	q.framingOnce.Do(func() { q.framing = f; close(q.framed) })
}

// push queues it. Above the soft limit droppable messages are dropped; above
// the hard one the peer is given up.
func (q *queue) push(it *item) error {
	it.size = len(it.body)
	q.mu.Lock()
	err := q.pushLocked(it)
	q.mu.Unlock()
	if errors.Is(err, ErrStalled) {
		q.giveUp(err)
		return err
	}
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return err
}

func (q *queue) pushLocked(it *item) error {
	if q.closed {
		return ErrClosed
	}
	full := q.bytes+it.size > q.soft
	if full && it.droppable {
		return nil
	}
	if q.mergeLocked(it) {
		return nil
	}
	if full {
		q.dropLocked()
	}
	if len(q.items) > 0 && q.bytes+it.size > q.hard {
		return ErrStalled
	}
	q.items = append(q.items, it)
	q.bytes += it.size
	if it.key == "" {
		clear(q.tail)
	} else {
		q.tail[it.key] = it
	}
	return nil
}

func (q *queue) mergeLocked(it *item) bool {
	older := q.tail[it.key]
	if it.key == "" || older == nil || older.method != it.method || q.bytes <= q.soft/mergeDivisor {
		return false
	}
	v, ok := it.merge(older.value, it.value)
	if !ok {
		return false
	}
	older.value, older.stale, older.body = v, true, nil
	older.size += it.size
	q.bytes += it.size
	return true
}

// dropLocked makes room by dropping everything droppable.
func (q *queue) dropLocked() {
	kept := q.items[:0]
	for _, it := range q.items {
		if it.droppable {
			q.bytes -= it.size
			if q.tail[it.key] == it {
				delete(q.tail, it.key)
			}
			continue
		}
		kept = append(kept, it)
	}
	clear(q.items[len(kept):])
	q.items = kept
}

func (q *queue) pop() (it *item, end bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.items) == 0 {
		return nil, q.closed
	}
	it = q.items[0]
	q.items[0] = nil
	q.items = q.items[1:]
	q.bytes -= it.size
	if it.key != "" && q.tail[it.key] == it {
		delete(q.tail, it.key)
	}
	return it, false
}

// run is the single writer.
func (q *queue) run(w io.Writer) {
	defer close(q.flushed)
	select {
	case <-q.framed:
	case <-q.aborted:
		return
	}
	for {
		it, end := q.pop()
		if end {
			return
		}
		if it == nil {
			select {
			case <-q.wake:
			case <-q.aborted:
				return
			}
			continue
		}
		body, err := it.encoded()
		if err != nil {
			continue // a merge made something impossible; a delta less
		}
		if err := q.write(w, body); err != nil {
			q.giveUp(err)
			return
		}
	}
}

// write writes one frame. Each chunk must be taken within the stall time.
func (q *queue) write(w io.Writer, body []byte) error {
	frame := make([]byte, 0, len(body)+32)
	if q.framing == Header {
		frame = append(frame, "Content-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"...)
	}
	frame = append(frame, body...)
	if q.framing == Newline {
		frame = append(frame, '\n')
	}
	for len(frame) > 0 {
		n := min(chunk, len(frame))
		timer := time.AfterFunc(q.stall, func() { q.giveUp(ErrStalled) })
		_, err := w.Write(frame[:n])
		timer.Stop()
		if err != nil {
			return err
		}
		frame = frame[n:]
	}
	return nil
}

// finish takes no more messages and waits until what is queued was written.
func (q *queue) finish(limit time.Duration) {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-q.flushed:
	case <-q.aborted:
	case <-timer.C:
	}
}

// abort ends the writer; what is queued is lost.
func (q *queue) abort() {
	q.mu.Lock()
	q.closed = true
	q.items, q.bytes = nil, 0
	q.mu.Unlock()
	q.abortOnce.Do(func() { close(q.aborted) })
}
