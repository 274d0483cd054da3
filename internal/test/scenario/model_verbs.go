package scenario

import (
	"errors"
	"fmt"
	"strconv"

	"clined/internal/test/fakellm"
)

// nth waits for request N, from 1.
func (s *Stage) nth(n string) (*fakellm.Request, error) {
	i, err := strconv.Atoi(n)
	if err != nil || i < 1 {
		return nil, fmt.Errorf("%q is no number of a request", n)
	}
	return s.model.WaitRequest(i), nil
}

// request looks at the newest message of a request.
func (s *Stage) request(args []string) error {
	r, err := s.nth(args[0])
	if err != nil {
		return err
	}
	if len(r.Messages) == 0 {
		return errors.New("it has no messages")
	}
	return compare("the newest message", r.Last().Text, args[1], s.expandAll(args[2:]))
}

// sent looks at the whole body of a request.
func (s *Stage) sent(args []string) error {
	r, err := s.nth(args[0])
	if err != nil {
		return err
	}
	return compare("the request", string(r.Raw), args[1], s.expandAll(args[2:]))
}

func (s *Stage) size(args []string) error {
	r, err := s.nth(args[0])
	if err != nil {
		return err
	}
	limit, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	if len(r.Raw) > limit {
		return fmt.Errorf("it has %d bytes", len(r.Raw))
	}
	s.t.Logf("request %s has %d bytes", args[0], len(r.Raw))
	return nil
}

func (s *Stage) requests(args []string) error {
	if got := strconv.Itoa(len(s.model.Requests())); got != args[0] {
		return fmt.Errorf("there were %s", got)
	}
	return nil
}

func (s *Stage) held(args []string) error {
	s.model.WaitHeld(args[0])
	return nil
}

func (s *Stage) release(args []string) error {
	s.model.Release(args[0])
	return nil
}

// authorized looks at the key of all requests.
func (s *Stage) authorized(args []string) error {
	for _, r := range s.model.Requests() {
		if got := r.Header.Get("Authorization"); got != args[0] {
			return fmt.Errorf("request %d had %q", r.Number, got)
		}
	}
	return nil
}

func (s *Stage) dismiss([]string) error {
	s.model.Dismiss()
	return nil
}
