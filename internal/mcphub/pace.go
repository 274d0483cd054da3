package mcphub

import (
	"io"
	"sync"
	"time"
)

// What a server may say unasked, in bytes: at once, and each second. What is
// beyond waits in its pipe, so that a server that never stops talking costs
// nothing while nobody needs it.
const (
	unaskedAtOnce = 256 << 10
	unaskedRate   = 128 << 10
)

// pace knows whether somebody waits for the server.
type pace struct {
	mu    sync.Mutex
	asked int           // requests that wait; guarded by mu
	woken chan struct{} // closed by the next request, nil before it is looked at; guarded by mu
}

// ask has all be read at once until the answer is there.
func (p *pace) ask() (answered func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	if p.woken != nil {
		close(p.woken)
		p.woken = nil
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.asked--
	}
}

// idle returns a channel that is closed by the next request, nil while one waits.
func (p *pace) idle() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.asked > 0 {
		return nil
	}
	if p.woken == nil {
		p.woken = make(chan struct{})
	}
	return p.woken
}

// pacedReader reads what a server says. One goroutine uses it.
type pacedReader struct {
	io.Reader
	pace *pace
	// allowed is how many bytes may be read at the time of since.
	allowed int
	since   time.Time
}

func newPacedReader(r io.Reader, p *pace) *pacedReader {
	return &pacedReader{r, p, unaskedAtOnce, time.Now()}
}

// Read implements io.Reader.
func (r *pacedReader) Read(b []byte) (int, error) {
	r.await()
	n, err := r.Reader.Read(b)
	r.allowed -= n
	return n, err
}

// await waits until a byte may be read.
func (r *pacedReader) await() {
	now := time.Now()
	if gained := now.Sub(r.since).Seconds() * unaskedRate; gained >= 1 {
		r.allowed, r.since = int(min(unaskedAtOnce, float64(r.allowed)+gained)), now
	}
	if r.allowed > 0 {
		return
	}
	woken := r.pace.idle()
	if woken == nil {
		r.allowed, r.since = unaskedAtOnce, now
		return
	}
	timer := time.NewTimer(time.Duration(1-r.allowed) * time.Second / unaskedRate)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-woken:
	}
	r.allowed, r.since = 1, time.Now()
}
