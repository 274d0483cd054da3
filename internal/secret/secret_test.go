package secret

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"
	"go.uber.org/goleak"
)

const savesEnv = "TEST_SECRETS" // a file, and whose accounts to set

func TestMain(m *testing.M) {
	if path, who, ok := strings.Cut(os.Getenv(savesEnv), "|"); ok {
		os.Exit(saver(path, who))
	}
	goleak.VerifyTestMain(m)
}

func saver(path, who string) int {
	s := Open(Options{File: path})
	for i := range 30 {
		if _, err := s.Set(context.Background(), fmt.Sprintf("%s%d", who, i), who, true); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return 0
}

// fakeRing is a keyring in memory.
type fakeRing struct {
	mu    sync.Mutex // guards the rest
	keys  map[string]string
	fail  error
	calls int
	// stuck, if set, holds every call until it is closed.
	stuck chan struct{}
}

func (r *fakeRing) call(do func() error) error {
	r.mu.Lock()
	stuck := r.stuck
	r.mu.Unlock()
	if stuck != nil {
		<-stuck
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls++
	if r.fail != nil {
		return r.fail
	}
	return do()
}

func (r *fakeRing) Get(service, user string) (v string, err error) {
	return v, r.call(func() error {
		var ok bool
		if v, ok = r.keys[service+"/"+user]; !ok {
			return keyring.ErrNotFound
		}
		return nil
	})
}

func (r *fakeRing) Set(service, user, secret string) error {
	return r.call(func() error { r.keys[service+"/"+user] = secret; return nil })
}

func (r *fakeRing) Delete(service, user string) error {
	return r.call(func() error {
		if _, ok := r.keys[service+"/"+user]; !ok {
			return keyring.ErrNotFound
		}
		delete(r.keys, service+"/"+user)
		return nil
	})
}

func newRing() *fakeRing { return &fakeRing{keys: map[string]string{}} }

func file(t *testing.T) string { return filepath.Join(t.TempDir(), "clined", "secrets.json") }

func (s *Store) want(t *testing.T, account, value string, where Where) {
	t.Helper()
	got, at, ok, err := s.Get(t.Context(), account)
	if got != value || ok != (value != "") || ok && at != where || err != nil {
		t.Errorf("%s: %q in %q, %v, %v; want %q in %q", account, got, at, ok, err, value, where)
	}
}

func TestFileWithoutAKeyring(t *testing.T) {
	path := file(t)
	s := Open(Options{File: path, Why: "this is a test"})
	s.want(t, "a", "", "")
	if _, err := os.Stat(filepath.Dir(path)); err == nil {
		t.Error("looking for a key makes a folder")
	}
	for _, account := range []string{"a", "b"} {
		if where, err := s.Set(t.Context(), account, " key-"+account+"\n", true); where != InFile || err != nil {
			t.Errorf("%v, %v", where, err)
		}
	}
	other := Open(Options{File: path})
	other.want(t, "a", "key-a", InFile)
	for of, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
		if info, err := os.Stat(of); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", of, info.Mode(), err)
		}
	}
	if was, err := s.Delete(t.Context(), "a"); !was || err != nil {
		t.Errorf("%v, %v", was, err)
	}
	if was, err := s.Delete(t.Context(), "a"); was || err != nil {
		t.Errorf("a second time: %v, %v", was, err)
	}
	other.want(t, "a", "", "")
	other.want(t, "b", "key-b", InFile)
	st, err := s.Status()
	if err != nil || st.NoKeyring != "this is a test" || st.File != path || st.Open || len(st.Accounts) != 1 || st.Accounts[0] != (Account{"b", InFile}) {
		t.Errorf("%+v, %v", st, err)
	}
}

func TestKeyring(t *testing.T) {
	ring, path := newRing(), file(t)
	s := Open(Options{File: path, Keyring: ring})
	s.want(t, "a", "", "")
	if ring.calls != 0 {
		t.Error("the keyring is asked about what was never put there: it may want a password")
	}
	if where, err := s.Set(t.Context(), "a", "key-a", true); where != InKeyring || err != nil {
		t.Errorf("%v, %v", where, err)
	}
	if text, _ := os.ReadFile(path); bytes.Contains(text, []byte("key-a")) {
		t.Errorf("the file has the key too: %s", text)
	}
	s.want(t, "a", "key-a", InKeyring)
	before := ring.calls
	s.want(t, "a", "key-a", InKeyring)
	if ring.calls != before {
		t.Error("the keyring is asked every time")
	}
	other := Open(Options{File: path, Keyring: ring})
	if _, err := other.Set(t.Context(), "a", "new", true); err != nil {
		t.Fatal(err)
	}
	s.want(t, "a", "new", InKeyring) // another process's change is seen
	delete(ring.keys, "clined/a")
	if _, _, ok, err := Open(Options{File: path, Keyring: ring}).Get(t.Context(), "a"); ok || !errors.Is(err, errGone) {
		t.Errorf("%v, %v", ok, err)
	}
	if _, _, ok, err := Open(Options{File: path, Why: "it is gone"}).Get(t.Context(), "a"); ok || err == nil || !strings.Contains(err.Error(), "it is gone") {
		t.Errorf("%v, %v", ok, err)
	}
	if was, err := s.Delete(t.Context(), "a"); !was || err != nil || len(ring.keys) != 0 {
		t.Errorf("%v, %v, %v", was, err, ring.keys)
	}
	s.want(t, "a", "", "")
}

func TestAKeyringThatFails(t *testing.T) {
	ring, path := newRing(), file(t)
	ring.fail = errors.New("it is locked")
	s := Open(Options{File: path, Keyring: ring})
	if where, err := s.Set(t.Context(), "a", "key-a", true); where != InFile || err != nil {
		t.Errorf("%v, %v", where, err)
	}
	s.want(t, "a", "key-a", InFile)
	if st, _ := s.Status(); !strings.Contains(st.NoKeyring, "it is locked") {
		t.Errorf("%+v", st)
	}
	ring.fail = nil
	if where, err := s.Set(t.Context(), "a", "key-b", true); where != InKeyring || err != nil {
		t.Errorf("%v, %v", where, err)
	}
	if st, _ := s.Status(); st.NoKeyring != "" {
		t.Errorf("%+v", st)
	}
	if text, _ := os.ReadFile(path); bytes.Contains(text, []byte("key-")) {
		t.Errorf("the old key is still there: %s", text)
	}
	ring.fail = errors.New("it is locked")
	if was, err := s.Delete(t.Context(), "a"); !was || err == nil || !strings.Contains(err.Error(), "not used any more") {
		t.Errorf("%v, %v", was, err)
	}
	s.want(t, "a", "", "")
}

// A keyring that never answers costs two seconds, once; when it answers at
// last, it is asked again.
func TestAKeyringThatHangs(t *testing.T) {
	path := file(t)
	ring := newRing()
	ring.keys["clined/a"] = "key-a"
	if _, err := Open(Options{File: path, Keyring: ring}).Set(t.Context(), "a", "key-a", true); err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		ring.stuck = make(chan struct{})
		s := Open(Options{File: path, Keyring: ring})
		for range 2 {
			start := time.Now()
			_, _, ok, err := s.Get(t.Context(), "a")
			if took := time.Since(start); ok || err == nil || !strings.Contains(err.Error(), "password") || took != DefaultLimit {
				t.Errorf("%v, %v after %s", ok, err, took)
			}
		}
		where, err := s.Set(t.Context(), "b", "key-b", true)
		if where != InFile || err != nil {
			t.Errorf("%v, %v", where, err)
		}
		close(ring.stuck)
		synctest.Wait()
		s.want(t, "a", "key-a", InKeyring)
	})
}

func TestCallsTakeTurns(t *testing.T) {
	ring := newRing()
	s := Open(Options{File: file(t), Keyring: ring})
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			account := fmt.Sprint(i)
			if where, err := s.Set(t.Context(), account, "k"+account, true); where != InKeyring || err != nil {
				t.Errorf("%v, %v", where, err)
			}
			s.want(t, account, "k"+account, InKeyring)
		})
	}
	all.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	stuck := Open(Options{File: s.file, Keyring: &fakeRing{fail: errors.New("x")}})
	if _, _, ok, err := stuck.Get(ctx, "0"); ok || err == nil {
		t.Errorf("%v, %v", ok, err)
	}
}

func TestMemory(t *testing.T) {
	ring, path := newRing(), file(t)
	s := Open(Options{File: path, Keyring: ring})
	if where, err := s.Set(t.Context(), "a", "key-a", false); where != InMemory || err != nil {
		t.Errorf("%v, %v", where, err)
	}
	s.want(t, "a", "key-a", InMemory)
	Open(Options{File: path, Keyring: ring}).want(t, "a", "", "")
	if _, err := os.Stat(path); err == nil || ring.calls != 0 {
		t.Error("it left the process")
	}
	if st, err := s.Status(); err != nil || len(st.Accounts) != 1 || st.Accounts[0].Where != InMemory {
		t.Errorf("%+v, %v", st, err)
	}
	if _, err := s.Set(t.Context(), "a", "kept", true); err != nil {
		t.Fatal(err)
	}
	s.want(t, "a", "kept", InKeyring)
	if _, err := s.Set(t.Context(), "a", "tried", false); err != nil {
		t.Fatal(err)
	}
	s.want(t, "a", "tried", InMemory)
	for range 2 { // the second finds nothing of its own
		s.Drop("a")
		s.want(t, "a", "kept", InKeyring)
	}
	if was, err := s.Delete(t.Context(), "a"); !was || err != nil {
		t.Errorf("%v, %v", was, err)
	}
	if _, err := s.Set(t.Context(), "a", " \n", true); err == nil {
		t.Error("an empty key is stored")
	}
}

func TestADamagedFileIsLeftAlone(t *testing.T) {
	path := file(t)
	const text = `{"accounts": {"a": {"secret": "sk-CANARY"}`
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
	s := Open(Options{File: path})
	_, _, ok, err := s.Get(t.Context(), "a")
	_, also := s.Set(t.Context(), "b", "key", true)
	if ok || err == nil || also == nil || strings.Contains(err.Error()+also.Error(), "CANARY") {
		t.Errorf("%v, %v, %v", ok, err, also)
	}
	if now, _ := os.ReadFile(path); string(now) != text {
		t.Errorf("it became %s", now)
	}
	if st, err := s.Status(); err == nil || len(st.Accounts) != 0 {
		t.Errorf("%+v, %v", st, err)
	}
}

func TestAFileThatOthersMayReadIsClosed(t *testing.T) {
	path := file(t)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("{}"), 0o644), os.Chmod(path, 0o644)); err != nil {
		t.Fatal(err)
	}
	s := Open(Options{File: path})
	if st, _ := s.Status(); !st.Open {
		t.Error("it is not told")
	}
	if _, err := s.Set(t.Context(), "a", "k", true); err != nil {
		t.Fatal(err)
	}
	if st, _ := s.Status(); st.Open {
		t.Error("it is still open")
	}
}

func TestTwoProcesses(t *testing.T) {
	path := file(t)
	var both []*exec.Cmd
	for _, who := range []string{"a", "b"} {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env, cmd.Stderr = append(os.Environ(), savesEnv+"="+path+"|"+who), os.Stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		both = append(both, cmd)
	}
	for _, cmd := range both {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	if st, err := Open(Options{File: path}).Status(); err != nil || len(st.Accounts) != 60 {
		t.Errorf("%d accounts, %v", len(st.Accounts), err)
	}
}

// Whatever prints, logs or marshals a store shows no key.
func TestKeysAreNeverShown(t *testing.T) {
	const canary = "sk-CANARY"
	s := Open(Options{File: file(t), Keyring: newRing()})
	_, err := s.Set(t.Context(), "a", canary, false)
	_, also := s.Set(t.Context(), "b", canary, true)
	if err := errors.Join(err, also); err != nil {
		t.Fatal(err)
	}
	s.want(t, "b", canary, InKeyring)
	var out bytes.Buffer
	st, _ := s.Status()
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "store", s, "status", st)
	for _, v := range []any{s, st, s.memory, s.known} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
			fmt.Fprintf(&out, format, v)
		}
		raw, _ := json.Marshal(v)
		out.Write(raw)
	}
	if strings.Contains(out.String(), canary) {
		t.Errorf("it is shown: %s", out.String())
	}
}
