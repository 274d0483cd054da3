package secret

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"time"

	"clined/internal/safefile"
)

// maxFile bounds the file; a real one has a few hundred bytes.
const maxFile = 1 << 20

// contents is the file's JSON.
type contents struct {
	Accounts map[string]entry `json:"accounts"`
}

// entry is one account: the key itself, or that the keyring has it.
type entry struct {
	Secret  string `json:"secret,omitempty"`
	Keyring bool   `json:"keyring,omitempty"`
	// Changed makes the file another one when the keyring's key changes.
	Changed time.Time `json:"changed"`
}

// fileMark tells whether the file is another one.
type fileMark struct {
	size    int64
	changed time.Time
}

func readFile(path string) (map[string]entry, fileMark, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fileMark{}, nil
	}
	if err != nil {
		return nil, fileMark{}, err
	}
	text, err := safefile.Read(path, maxFile)
	if err != nil {
		return nil, fileMark{}, err
	}
	all, err := parse(path, text)
	return all, fileMark{info.Size(), info.ModTime()}, err
}

// parse never quotes the file: it holds keys.
func parse(path string, text []byte) (map[string]entry, error) {
	var c contents
	if len(text) > maxFile || len(bytes.TrimSpace(text)) > 0 && json.Unmarshal(text, &c) != nil {
		return nil, fmt.Errorf("%s is damaged: mend or remove it, then store the keys anew", path)
	}
	return c.Accounts, nil
}

// changeFile changes the accounts under the file's lock. A damaged file is left
// as it is.
func changeFile(ctx context.Context, path string, change func(map[string]entry)) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	if info, err := os.Stat(path); err == nil && othersMayRead(info) { // before it gets another key
		if err := os.Chmod(path, 0o600); err != nil {
			return err
		}
	}
	return safefile.Update(ctx, path, func(old []byte) ([]byte, error) {
		all, err := parse(path, old)
		if err != nil {
			return nil, err
		}
		if all == nil {
			all = map[string]entry{}
		}
		change(all)
		text, err := json.MarshalIndent(contents{all}, "", "  ")
		return append(text, '\n'), err
	})
}

// othersMayRead goes by the mode, which says nothing on Windows.
func othersMayRead(info fs.FileInfo) bool {
	return runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0
}
