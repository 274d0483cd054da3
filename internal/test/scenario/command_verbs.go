package scenario

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"clined/internal/protocol"
)

// commandVerbs are about commands that run, and what was decided about them.
var commandVerbs = map[string]verb{
	"terminal":  {"detach|kill|input|resize|list [ID] [TEXT|COLSxROWS]: what a user does to a command that runs", 1, (*Stage).terminal},
	"pick":      {"OPTION [TITLE-PART]: answer the next approval with the option of that id", 1, (*Stage).pick},
	"choices":   {"ID…: the open approval has exactly these options", 1, (*Stage).choices},
	"decided":   {"N PART…: the N-th decision on record (from 1) has these parts in its JSON", 2, (*Stage).decided},
	"decisions": {"N: so many are on record", 1, (*Stage).decisions},
	"link":      {"NAME TARGET: a symbolic link in the workspace", 2, (*Stage).link},
	"lives":     {"WORD: a process has it among its arguments, soon", 1, (*Stage).lives},
	"dead":      {"WORD: no process has it, soon", 1, (*Stage).dead},
	"private":   {": nobody else may read what is below the state folder", 0, (*Stage).private},
}

func (s *Stage) terminal(args []string) error {
	params := map[string]any{"taskId": s.TaskID}
	if len(args) > 1 {
		params["terminalId"] = args[1]
	}
	if len(args) > 2 {
		params["text"] = args[2]
		if cols, rows, ok := strings.Cut(args[2], "x"); ok && args[0] == "resize" {
			params["cols"], _ = strconv.Atoi(cols)
			params["rows"], _ = strconv.Atoi(rows)
		}
	}
	s.lastResult, s.lastError = s.Editor.Call(s.ctx, "clined/terminal/"+args[0], params)
	return nil
}

func (s *Stage) choices(args []string) error {
	a, err := s.Editor.NextApproval(s.ctx)
	if err != nil {
		return err
	}
	s.lastApproval = a
	var ids []string
	for _, o := range a.Options {
		ids = append(ids, o.OptionID)
	}
	if got, want := strings.Join(ids, " "), strings.Join(args, " "); got != want {
		return fmt.Errorf("the options are %s: %s", got, jsonText(a.Options))
	}
	return nil
}

// record are the lines of the decisions on record.
func (s *Stage) record() ([]string, error) {
	text, err := os.ReadFile(filepath.Join(s.setup.Home, "state", "log", "decisions.jsonl"))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), err
}

func (s *Stage) decided(args []string) error {
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 1 {
		return fmt.Errorf("%q is no number of a decision", args[0])
	}
	lines, err := s.record()
	if err != nil {
		return err
	}
	if len(lines) < n {
		return fmt.Errorf("there are %d", len(lines))
	}
	var entry any
	if err := json.Unmarshal([]byte(lines[n-1]), &entry); err != nil {
		return err
	}
	return hasParts("the decision", jsonText(entry), s.expandAll(args[1:]))
}

func (s *Stage) decisions(args []string) error {
	lines, err := s.record()
	if err == nil && strconv.Itoa(len(lines)) != args[0] {
		return fmt.Errorf("there are %d: %s", len(lines), strings.Join(lines, "\n"))
	}
	return err
}

func (s *Stage) link(args []string) error {
	return os.Symlink(s.expand(args[1]), s.path(args[0]))
}

// Running returns the processes with a word among their arguments; those that
// ended and were not waited for have none.
func Running(word string) (found []string) {
	paths, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, path := range paths {
		line, err := os.ReadFile(path)
		for arg := range bytes.SplitSeq(line, []byte{0}) {
			if err == nil && string(arg) == word {
				found = append(found, filepath.Base(filepath.Dir(path)))
				break
			}
		}
	}
	return found
}

func (s *Stage) lives(args []string) error { return s.awaitProcesses(args[0], true) }
func (s *Stage) dead(args []string) error  { return s.awaitProcesses(args[0], false) }

// awaitProcesses waits until there are some with a word, or none.
func (s *Stage) awaitProcesses(word string, some bool) error {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		found := Running(s.expand(word))
		if (len(found) > 0) == some {
			return nil
		}
		select {
		case <-tick.C:
		case <-s.ctx.Done():
			return fmt.Errorf("there are %q", found)
		}
	}
}

func (s *Stage) private([]string) error {
	return filepath.WalkDir(filepath.Join(s.setup.Home, "state"), func(path string, d os.DirEntry, err error) error {
		if errors.Is(err, os.ErrNotExist) { // a file of the database, for one
			return nil
		}
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			err = fmt.Errorf("%s has the mode %v", path, info.Mode())
		}
		return err
	})
}

// pick answers the next approval with an option by its id.
func (s *Stage) pick(args []string) error {
	a, err := s.nextApproval(args[1:])
	if err != nil {
		return err
	}
	for _, o := range a.Options {
		if o.OptionID == args[0] {
			s.Editor.Decide(a, &protocol.ApprovalOutcome{OptionID: o.OptionID, SubjectHash: a.SubjectHash})
			return nil
		}
	}
	return fmt.Errorf("the approval %q has the options %s", a.Title, jsonText(a.Options))
}
