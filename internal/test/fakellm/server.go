// Package fakellm owns a scripted model for tests: a real HTTP server that
// speaks OpenAI's chat completions, plays replies and faults from a script, and
// checks every request as vendors do, and that requests keep a stable prefix.
//
// It never decides anything by what a model would say and needs nothing of the
// product: it is reached by the ordinary base URL. Only tests import it.
package fakellm

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// T is what the fake needs of a *testing.T.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Cleanup(f func())
}

// hangGuard ends a wait that would never end.
const hangGuard = 60 * time.Second

// Server is one fake model. It answers the requests in the order of the
// script, whichever client they come from.
type Server struct {
	t       T
	url     string
	http    *http.Server
	serving sync.WaitGroup
	closing chan struct{}
	once    sync.Once

	mu       sync.Mutex
	replies  []Reply
	next     int
	requests []*Request
	// arrived is closed and replaced at each request.
	arrived chan struct{}
	// last is the newest request of each conversation.
	last    map[string]*Request
	signals map[string]*signal
	key     string
	// dismissed is set by Dismiss.
	dismissed bool
	// decide is set by Decide.
	decide func(*Request) string
}

// signal is a point in a reply that waits for the test.
type signal struct {
	reached, released         chan struct{}
	reachedOnce, releasedOnce sync.Once
}

// Start parses the script and serves it on a free port of the loopback. The
// server closes at the end of the test, which fails when replies are left.
func Start(t T, script string) *Server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("fakellm: %v", err)
	}
	return StartOn(t, l, script)
}

// StartOn is Start on a given listener, such as a Pipe.
func StartOn(t T, l net.Listener, script string) *Server {
	t.Helper()
	replies, err := Parse(script)
	if err != nil {
		t.Fatalf("fakellm: %v", err)
	}
	s := &Server{
		t: t, url: "http://" + l.Addr().String() + "/v1", replies: replies,
		closing: make(chan struct{}), arrived: make(chan struct{}),
		last: map[string]*Request{}, signals: map[string]*signal{},
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", s.complete)
	mux.HandleFunc("GET /v1/models", s.models)
	s.control(mux)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.t.Errorf("fakellm: unexpected request %s %s", r.Method, r.URL.Path)
		http.NotFound(w, r)
	})
	s.http = &http.Server{Handler: mux, ErrorLog: log.New(io.Discard, "", 0)}
	s.serving.Go(func() { _ = s.http.Serve(l) }) // ends with ErrServerClosed
	t.Cleanup(s.Close)
	return s
}

// URL is the base URL, ending in /v1.
func (s *Server) URL() string { return s.url }

// RequireKey makes the server refuse requests without this bearer token.
func (s *Server) RequireKey(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = key
}

// Add appends the replies of another script.
func (s *Server) Add(script string) {
	s.t.Helper()
	replies, err := Parse(script)
	if err != nil {
		s.t.Fatalf("fakellm: %v", err)
	}
	s.append(replies)
}

func (s *Server) append(replies []Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies = append(s.replies, replies...)
}

// Replace puts the replies of another script in place of those that were not
// asked for yet: for tests that stop a model at any moment.
func (s *Server) Replace(script string) {
	s.t.Helper()
	replies, err := Parse(script)
	if err != nil {
		s.t.Fatalf("fakellm: %v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.replies = append(s.replies[:s.next], replies...)
}

// Dismiss ends the play: replies that were not asked for do not count, and what
// a client that died had still under way is refused without a complaint.
func (s *Server) Dismiss() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dismissed = true
	s.replies = s.replies[:s.next]
}

// Decide has f write the script of the reply to each request that the script
// has none for: a model that goes by what it is told, for tests that stop a
// client at any moment. f is called for one request at a time.
func (s *Server) Decide(f func(*Request) string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.decide = f
}

// Release lets replies go on that wait at "hold NAME", now and later; "stall"
// is the name of every stall.
func (s *Server) Release(name string) {
	sig := s.signal(name)
	sig.releasedOnce.Do(func() { close(sig.released) })
}

// WaitHeld returns once a reply waits at "hold NAME" (or "stall").
func (s *Server) WaitHeld(name string) {
	s.t.Helper()
	select {
	case <-s.signal(name).reached:
	case <-time.After(hangGuard):
		s.t.Fatalf("fakellm: no reply got to hold %q", name)
	}
}

// Requests returns those that came so far, in order.
func (s *Server) Requests() []*Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*Request(nil), s.requests...)
}

// WaitRequest returns request number n, counted from 1, once it came.
func (s *Server) WaitRequest(n int) *Request {
	s.t.Helper()
	guard := time.After(hangGuard)
	for {
		s.mu.Lock()
		arrived := s.arrived
		if len(s.requests) >= n {
			defer s.mu.Unlock()
			return s.requests[n-1]
		}
		s.mu.Unlock()
		select {
		case <-arrived:
		case <-guard:
			s.t.Fatalf("fakellm: request %d did not come", n)
			return nil
		}
	}
}

// Close ends the server and all its replies, waits for them, and reports
// replies that were not asked for. Further calls do nothing.
func (s *Server) Close() {
	s.t.Helper()
	s.once.Do(func() {
		s.mu.Lock()
		close(s.closing)
		s.mu.Unlock()
		_ = s.http.Close()
		s.serving.Wait()
		if left := s.replies[s.next:]; len(left) > 0 {
			s.t.Errorf("fakellm: %d of %d replies were not asked for; the first is at line %d", len(left), len(s.replies), left[0].Line)
		}
	})
}

func (s *Server) isDismissed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dismissed
}

func (s *Server) signal(name string) *signal {
	s.mu.Lock()
	defer s.mu.Unlock()
	sig, ok := s.signals[name]
	if !ok {
		sig = &signal{reached: make(chan struct{}), released: make(chan struct{})}
		s.signals[name] = sig
	}
	return sig
}

// pause waits for that long; it fails when the client goes or the server closes.
func (s *Server) pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return http.ErrServerClosed
	}
}

// hold waits for a release; it fails when the client goes or the server closes.
func (s *Server) hold(ctx context.Context, name string) error {
	sig := s.signal(name)
	sig.reachedOnce.Do(func() { close(sig.reached) })
	select {
	case <-sig.released:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-s.closing:
		return http.ErrServerClosed
	}
}

func (s *Server) models(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"fake-model","object":"model","owned_by":"fakellm"}]}`)
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		return
	}
	defer s.serving.Done()
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went
	}
	req, problems := parseRequest(raw)
	req.Header, req.gone = r.Header.Clone(), r.Context().Done()
	reply := s.take(req)
	if reply == nil {
		if s.isDismissed() {
			refuse(w, http.StatusServiceUnavailable, "the play is over")
			return
		}
		s.t.Errorf("fakellm: unexpected request %d: the script has %d replies; its newest messages:\n%s", req.Number, len(s.replies), req.Newest())
		refuse(w, http.StatusInternalServerError, "unexpected request")
		return
	}
	broken := s.checkPrefix(req, reply)
	if len(broken) > 0 && abandoned(r.Context()) {
		return
	}
	problems = slices.Concat(problems, broken, reply.check(req))
	for _, p := range problems {
		s.t.Errorf("fakellm: request %d (reply at line %d): %s", req.Number, reply.Line, p)
	}
	if s.key != "" && r.Header.Get("Authorization") != "Bearer "+s.key {
		refuse(w, http.StatusUnauthorized, "Incorrect API key provided")
		return
	}
	p := &player{s: s, w: w, ctx: r.Context(), reply: reply, req: req}
	p.play()
}

// abandoned tells a request that its client cancelled while it was on its way:
// it may come after the next one and breaks its prefix then.
func abandoned(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(200 * time.Millisecond):
		return false
	}
}

// enter lets Close wait for a handler; it is false when the server closes.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.closing:
		return false
	default:
		s.serving.Add(1)
		return true
	}
}

// take records the request and returns the reply that is its turn, nil when
// the script is used up.
func (s *Server) take(req *Request) *Reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, req)
	req.Number = len(s.requests)
	close(s.arrived)
	s.arrived = make(chan struct{})
	if s.next == len(s.replies) && s.decide != nil {
		replies, err := Parse(s.decide(req))
		if err != nil {
			s.t.Errorf("fakellm: request %d: %v", req.Number, err)
			return nil
		}
		s.replies = append(s.replies, replies...)
	}
	if s.next == len(s.replies) {
		return nil
	}
	s.next++
	reply := s.replies[s.next-1]
	reply.number = s.next
	return &reply
}

func refuse(w http.ResponseWriter, status int, message string) {
	body, _ := json.Marshal(map[string]any{"error": map[string]any{"message": message}}) // always encodes
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = fmt.Fprintf(w, "%s\n", body)
}
