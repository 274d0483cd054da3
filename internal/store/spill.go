package store

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Keep stores a text that is too long for the model and returns its absolute
// path. An earlier text of the same call is not overwritten.
func (t *Task) Keep(callID, text string) (string, error) {
	path, err := keep(t.dir, callID, text)
	if err != nil {
		return "", t.s.problem("keep a long output", err)
	}
	return path, nil
}

func keep(dir, callID, text string) (string, error) {
	dir = outputsDir(dir)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	name := fileName(callID)
	for n := 1; ; n++ {
		path := filepath.Join(dir, name+".txt")
		if n > 1 {
			path = filepath.Join(dir, fmt.Sprintf("%s.%d.txt", name, n))
		}
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.WriteString(text)
		if err = errors.Join(err, f.Close()); err != nil {
			return "", errors.Join(err, os.Remove(path))
		}
		return path, nil
	}
}

// outputsDir is where the long outputs of a task are, given its folder.
func outputsDir(task string) string { return filepath.Join(task, "outputs") }

// fileName makes an id of any provider a file name: letters, digits, "-" and
// "_" stay, anything else is replaced and told apart by a hash.
func fileName(id string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_' {
			return r
		}
		return '_'
	}, id)
	if name == id && name != "" && len(name) <= 100 {
		return name
	}
	sum := sha256.Sum256([]byte(id))
	return name[:min(len(name), 80)] + "_" + hex.EncodeToString(sum[:6])
}

// checkID refuses what cannot be the name of a task's folder.
func checkID(id string) error {
	if id == "" || fileName(id) != id {
		return fmt.Errorf("%q is no task id", id)
	}
	return nil
}

// syncDir makes new names in dir last.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if runtime.GOOS == "windows" {
		err = nil // folders cannot be synced there
	}
	return errors.Join(err, d.Close())
}
