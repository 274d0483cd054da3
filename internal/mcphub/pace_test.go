package mcphub

import (
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// endless is a server that never stops talking.
type endless struct{ said int }

func (e *endless) Read(p []byte) (int, error) {
	n := min(len(p), 1000)
	e.said += n
	return n, nil
}

// What a server says unasked is read slowly, what is asked for at once.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, p := &endless{}, &pace{}
		r := newPacedReader(e, p)
		buffer := make([]byte, 32<<10)
		read := func(until func() bool) {
			for !until() {
				if _, err := r.Read(buffer); err != nil {
					t.Fatal(err)
				}
			}
		}
		began := time.Now()
		read(func() bool { return time.Since(began) >= 10*time.Second })
		if most := unaskedAtOnce + 10*unaskedRate + len(buffer); e.said > most || e.said < most/2 {
			t.Errorf("%d bytes were read in 10 s", e.said)
		}
		answered := p.ask()
		began, e.said = time.Now(), 0
		read(func() bool { return e.said > 100*unaskedAtOnce })
		if d := time.Since(began); d != 0 {
			t.Errorf("who asked waited %v", d)
		}
		answered()
		// A request wakes a reader that rests.
		began = time.Now()
		read(func() bool { return r.allowed < 0 })
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = r.Read(buffer)
		}()
		synctest.Wait()
		rests := time.Since(began)
		p.ask()
		<-done
		if time.Since(began) != rests {
			t.Error("a request did not wake the reader")
		}
	})
}

func TestPacedReaderEnds(t *testing.T) {
	r := newPacedReader(eof{}, &pace{})
	if n, err := r.Read(make([]byte, 10)); n != 0 || err != io.EOF {
		t.Error(n, err)
	}
}

type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }
