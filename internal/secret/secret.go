// Package secret owns the keys of providers that were given to clined: in the
// operating system's keyring, in a file of the user where there is none, or in
// the memory of this process only. An account, a name for a provider at a host,
// is all it knows of what a key is for.
//
// It asks the keyring only about keys that were put there, and never waits for
// it longer than two seconds: a keyring may hang, or wait for a password. It
// never prints, logs or marshals a key. daemon and cmd make the one Store of a
// process.
package secret

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// Where a key is kept.
type Where string

// The places.
const (
	InKeyring Where = "keyring"
	InFile    Where = "file"
	InMemory  Where = "memory"
)

// service is the name that all our keys have in a keyring.
const service = "clined"

// DefaultLimit is how long a call of the keyring is waited for.
const DefaultLimit = 2 * time.Second

// Options of a Store.
type Options struct {
	// File is where keys are without a keyring, and in any case the list of
	// accounts.
	File string
	// Keyring is nil when there is none; Why says why, for people.
	Keyring Keyring
	Why     string
	// Limit is DefaultLimit when 0.
	Limit time.Duration
}

// Store holds keys by account. Its methods may be called from any goroutine.
type Store struct {
	file string
	ring *bounded
	why  string

	mu sync.Mutex // guards the rest
	// memory holds the keys that were not to be kept.
	memory map[string]hidden
	// known are keys that the keyring told, as long as the file is at mark.
	known map[string]hidden
	mark  fileMark
	// refused is why the keyring did not take the last key, "" when it did.
	refused string
}

// hidden keeps a key out of what prints the struct around it.
type hidden struct{ value *string }

// Open returns a store. It reads nothing and asks nobody before it is used.
func Open(o Options) *Store {
	s := &Store{file: o.File, why: o.Why, memory: map[string]hidden{}, known: map[string]hidden{}}
	limit := o.Limit
	if limit == 0 {
		limit = DefaultLimit
	}
	switch {
	case o.Keyring != nil:
		s.ring = newBounded(o.Keyring, limit)
	case s.why == "":
		s.why = "there is no keyring"
	}
	return s
}

// ForUser returns the store of the user who runs this process: the keyring of
// the system, see System, and a file.
func ForUser(file string, getenv func(string) string) *Store {
	ring, why := System(getenv)
	return Open(Options{File: file, Keyring: ring, Why: why})
}

// Get returns the key of an account and where it is kept; ok is false when there
// is none. The error says why one that was stored cannot be had.
func (s *Store) Get(ctx context.Context, account string) (value string, where Where, ok bool, err error) {
	s.mu.Lock()
	held, ok := s.memory[account]
	s.mu.Unlock()
	if ok {
		return *held.value, InMemory, true, nil
	}
	entries, mark, err := readFile(s.file)
	if err != nil {
		return "", "", false, err
	}
	switch e, there := entries[account]; {
	case !there:
		return "", "", false, nil
	case !e.Keyring:
		return e.Secret, InFile, true, nil
	}
	value, err = s.fromKeyring(ctx, account, mark)
	return value, InKeyring, err == nil, err
}

func (s *Store) fromKeyring(ctx context.Context, account string, mark fileMark) (string, error) {
	if s.ring == nil {
		return "", fmt.Errorf("it is in the keyring, and %s", s.why)
	}
	s.mu.Lock()
	if mark != s.mark { // somebody changed an account
		clear(s.known)
		s.mark = mark
	}
	held, ok := s.known[account]
	s.mu.Unlock()
	if ok {
		return *held.value, nil
	}
	value, err := s.ring.get(ctx, account)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if mark == s.mark {
		s.known[account] = hidden{&value}
	}
	return value, nil
}

// Find is Get as config.Lookup.Stored wants it: no key is no error.
func (s *Store) Find(ctx context.Context) func(account string) (value, where string, err error) {
	return func(account string) (string, string, error) {
		value, where, ok, err := s.Get(ctx, account)
		if err != nil || !ok {
			return "", "", err
		}
		return value, string(where), nil
	}
}

// Set keeps the key of an account and returns where it is now. With persist it
// outlives the process: in the keyring, or in the file when the keyring does
// not take it. Without, only this process knows it.
func (s *Store) Set(ctx context.Context, account, value string, persist bool) (Where, error) {
	value = strings.TrimSpace(value)
	if value == "" || account == "" {
		return "", errors.New("there is nothing to store")
	}
	if !persist {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.memory[account] = hidden{&value}
		return InMemory, nil
	}
	where, e := InFile, entry{Secret: value}
	if s.ring != nil {
		err := s.ring.set(ctx, account, value)
		if err == nil {
			where, e = InKeyring, entry{Keyring: true}
		}
		s.noteRefusal(err)
	}
	e.Changed = time.Now().UTC()
	if err := changeFile(ctx, s.file, func(all map[string]entry) { all[account] = e }); err != nil {
		return "", err
	}
	s.forget(account)
	return where, nil
}

// Delete forgets the key of an account everywhere; was tells whether there was
// one. A keyring that does not answer may keep its copy, which is not used any
// more: the error says so.
func (s *Store) Delete(ctx context.Context, account string) (was bool, err error) {
	s.mu.Lock()
	_, was = s.memory[account]
	s.mu.Unlock()
	s.forget(account)
	entries, _, err := readFile(s.file)
	if err != nil {
		return was, err
	}
	e, there := entries[account]
	if !there {
		return was, nil
	}
	if err := changeFile(ctx, s.file, func(all map[string]entry) { delete(all, account) }); err != nil {
		return was, err
	}
	if e.Keyring && s.ring != nil {
		if err := s.ring.delete(ctx, account); err != nil && !errors.Is(err, errGone) {
			return true, fmt.Errorf("it is not used any more, but the keyring still holds it: %w", err)
		}
	}
	return true, nil
}

// Drop forgets the key of an account that only this process knows; one that was
// kept stays, and holds again.
func (s *Store) Drop(account string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.memory, account)
}

func (s *Store) noteRefusal(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused = ""; err != nil {
		s.refused = err.Error()
	}
}

func (s *Store) forget(account string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.memory, account)
	delete(s.known, account)
}

// Status tells what is stored, never the keys, and asks no keyring.
type Status struct {
	Accounts []Account
	// NoKeyring says why there is no keyring, or why it did not take the last
	// key that this process stored; "" when there is one.
	NoKeyring string
	// File is where keys are without one. Open says that others may read it.
	File string
	Open bool
}

// Account is one that there is a key for.
type Account struct {
	Name  string
	Where Where
}

// Status returns what is stored now. The error says why the file cannot be read.
func (s *Store) Status() (Status, error) {
	st := Status{NoKeyring: s.why, File: s.file}
	if info, err := os.Stat(s.file); err == nil {
		st.Open = othersMayRead(info)
	}
	entries, _, err := readFile(s.file)
	where := map[string]Where{}
	for name, e := range entries {
		where[name] = InFile
		if e.Keyring {
			where[name] = InKeyring
		}
	}
	s.mu.Lock()
	st.NoKeyring = cmp.Or(st.NoKeyring, s.refused)
	for name := range s.memory {
		where[name] = InMemory
	}
	s.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(where)) {
		st.Accounts = append(st.Accounts, Account{name, where[name]})
	}
	return st, err
}
