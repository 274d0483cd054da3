package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// maxLine bounds a line of a driver, in bytes.
const maxLine = 16 << 20

// driver is a Front in another process: JSON lines on its standard streams, one
// Reply for each Action. It ends when its input does.
type driver struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan []byte
	// ended is closed when nothing more can come.
	ended chan struct{}
}

// startDriver starts a driver program; log gets what it writes for people.
func startDriver(ctx context.Context, log io.Writer, program string, args ...string) (*driver, error) {
	d := &driver{cmd: exec.CommandContext(ctx, program, args...), lines: make(chan []byte), ended: make(chan struct{})}
	d.cmd.Stderr = log
	d.cmd.WaitDelay = closeLimit
	var err error
	if d.in, err = d.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := d.cmd.Start(); err != nil {
		return nil, err
	}
	go d.read(ctx, out)
	return d, nil
}

func (d *driver) read(ctx context.Context, out io.Reader) {
	defer close(d.ended)
	s := bufio.NewScanner(out)
	s.Buffer(nil, maxLine)
	for s.Scan() {
		select {
		case d.lines <- append([]byte(nil), s.Bytes()...):
		case <-ctx.Done():
			return
		}
	}
}

func (d *driver) ask(ctx context.Context, a Action) (*Reply, error) {
	raw, err := json.Marshal(a)
	if err != nil {
		return nil, err
	}
	if _, err := d.in.Write(append(raw, '\n')); err != nil {
		return nil, fmt.Errorf("the driver cannot be told: %w", err)
	}
	select {
	case line := <-d.lines:
		var r Reply
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("the driver answered %q: %w", line, err)
		}
		if !r.OK {
			return nil, errors.New(r.Error)
		}
		return &r, nil
	case <-d.ended:
		return nil, errors.New("the driver ended")
	case <-ctx.Done():
		return nil, fmt.Errorf("the driver does not answer: %w", context.Cause(ctx))
	}
}

func (d *driver) Do(ctx context.Context, a Action) error {
	_, err := d.ask(ctx, a)
	return err
}

func (d *driver) State(ctx context.Context, after int64) (State, error) {
	r, err := d.ask(ctx, Action{Verb: See, After: after})
	switch {
	case err != nil:
		return State{}, err
	case r.State == nil:
		return State{}, errors.New("the driver's answer has no state")
	}
	return *r.State, nil
}

// closeLimit is how long a driver may take to end: an editor closes its windows
// and waits for what ran in them, on a machine that does much else.
const closeLimit = time.Minute

func (d *driver) Close() error {
	_ = d.in.Close() // it may have ended before
	limit := time.After(closeLimit)
	for {
		select {
		case <-d.lines: // said unasked
		case <-limit:
			_ = d.cmd.Process.Kill()
		case <-d.ended:
			return d.cmd.Wait()
		}
	}
}

// serve is the other side: it lets lines drive a front until they end.
func serve(ctx context.Context, f Front, in io.Reader, out io.Writer) error {
	s := bufio.NewScanner(in)
	s.Buffer(nil, maxLine)
	answers := json.NewEncoder(out)
	for s.Scan() {
		if err := answers.Encode(reply(ctx, f, s.Bytes())); err != nil {
			return err
		}
	}
	return s.Err()
}

func reply(ctx context.Context, f Front, line []byte) Reply {
	var a Action
	if err := json.Unmarshal(line, &a); err != nil {
		return Reply{Error: "a line that is no action: " + err.Error()}
	}
	if a.Verb == See {
		state, err := f.State(ctx, a.After)
		if err != nil {
			return Reply{Error: err.Error()}
		}
		return Reply{OK: true, State: &state}
	}
	if err := f.Do(ctx, a); err != nil {
		return Reply{Error: err.Error()}
	}
	return Reply{OK: true}
}
