package safefile

import (
	"context"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// retry is the pause between two tries to get a lock.
const retry = 5 * time.Millisecond

// Lock waits until nobody else holds the lock of path, in this process or
// another, and returns what gives it back. The lock is a file beside path that
// is there only while it is held; the folder must exist. A process that ends
// gives its locks back.
func Lock(ctx context.Context, path string) (unlock func(), err error) {
	name := path + ".lock"
	for {
		lock := flock.New(name)
		if _, err := lock.TryLockContext(ctx, retry); err != nil {
			_ = lock.Close()
			return nil, err
		}
		if isStill(lock, name) {
			return func() {
				_ = os.Remove(name) // while it is held: whoever waits for this file sees that it is gone
				_ = lock.Unlock()
			}, nil
		}
		_ = lock.Unlock() // its last holder removed it
	}
}

// isStill reports whether the file that was locked is the one others find.
func isStill(lock *flock.Flock, name string) bool {
	held, err := lock.Stat()
	if err != nil {
		return false
	}
	found, err := os.Stat(name)
	return err == nil && os.SameFile(held, found)
}
