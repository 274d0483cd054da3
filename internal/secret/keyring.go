package secret

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"github.com/zalando/go-keyring"
)

// Keyring is the part of a keyring that a Store needs. Calls may hang.
type Keyring interface {
	// Get and Delete return keyring.ErrNotFound of go-keyring for what is not
	// there.
	Get(service, user string) (string, error)
	Set(service, user, secret string) error
	Delete(service, user string) error
}

// System returns the keyring of the operating system, or nil and why there is
// none. It connects to nothing. With CLINED_HOME set there is none: everything
// is below that folder then.
func System(getenv func(string) string) (Keyring, string) {
	if getenv("CLINED_HOME") != "" {
		return nil, "CLINED_HOME keeps everything in one folder"
	}
	switch runtime.GOOS {
	case "darwin", "windows":
	default:
		// Without a bus the library would start one: that is not ours to do.
		if !hasBus(getenv) {
			return nil, "there is no D-Bus session, which a keyring needs"
		}
	}
	return system{}, ""
}

func hasBus(getenv func(string) string) bool {
	if address := getenv("DBUS_SESSION_BUS_ADDRESS"); address != "" && address != "autolaunch:" {
		return true
	}
	for _, name := range []string{"bus", "dbus-session"} {
		if _, err := os.Stat(filepath.Join("/run/user", strconv.Itoa(os.Getuid()), name)); err == nil {
			return true
		}
	}
	return false
}

// system is the library's keyring for this platform.
type system struct{}

func (system) Get(service, user string) (string, error) { return keyring.Get(service, user) }
func (system) Set(service, user, secret string) error   { return keyring.Set(service, user, secret) }
func (system) Delete(service, user string) error        { return keyring.Delete(service, user) }

// bounded asks a keyring and gives up after a while. The calls cannot be
// stopped: one that hangs ends when the keyring answers, or with the process.
// Until then no other is begun: there is never more than one.
type bounded struct {
	ring  Keyring
	limit time.Duration
	slot  chan struct{} // holds one while a call runs
}

func newBounded(ring Keyring, limit time.Duration) *bounded {
	return &bounded{ring: ring, limit: limit, slot: make(chan struct{}, 1)}
}

var (
	errGone = errors.New("the keyring does not have it any more")
	errBusy = errors.New("the keyring has not answered yet; it may wait for your password")
)

func (b *bounded) get(ctx context.Context, account string) (string, error) {
	return b.call(ctx, func() (string, error) { return b.ring.Get(service, account) })
}

func (b *bounded) set(ctx context.Context, account, value string) error {
	_, err := b.call(ctx, func() (string, error) { return "", b.ring.Set(service, account, value) })
	return err
}

func (b *bounded) delete(ctx context.Context, account string) error {
	_, err := b.call(ctx, func() (string, error) { return "", b.ring.Delete(service, account) })
	return err
}

func (b *bounded) call(ctx context.Context, ask func() (string, error)) (string, error) {
	timer := time.NewTimer(b.limit)
	defer timer.Stop()
	select {
	case b.slot <- struct{}{}:
	case <-timer.C:
		return "", errBusy
	case <-ctx.Done():
		return "", ctx.Err()
	}
	type answer struct {
		value string
		err   error
	}
	answered := make(chan answer, 1)
	go func() {
		value, err := ask()
		answered <- answer{value, err}
		<-b.slot
	}()
	select {
	case a := <-answered:
		if errors.Is(a.err, keyring.ErrNotFound) {
			return "", errGone
		}
		if a.err != nil {
			return "", fmt.Errorf("the keyring: %w", a.err)
		}
		return a.value, nil
	case <-timer.C:
		return "", fmt.Errorf("the keyring did not answer within %s; it may wait for your password", b.limit)
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
