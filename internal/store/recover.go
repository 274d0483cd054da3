package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// recoverLimit bounds the reading of a damaged database.
const recoverLimit = 10 * time.Minute

// suffixes of the files that an SQLite database is made of.
var suffixes = []string{"", "-wal", "-shm"}

// repair replaces an open database that turned out to be damaged. The caller
// holds writing.
func (s *Store) repair(ctx context.Context, d *database, why error) error {
	if err := s.opening.take(ctx); err != nil {
		return err
	}
	defer s.opening.give()
	unlock, err := s.guard(ctx, true)
	if err != nil {
		return err
	}
	defer unlock()
	moved := !d.current(s.path()) // by another process that did all this
	if moved || runtime.GOOS == "windows" {
		// Files that are open cannot be moved there.
		s.drop(d)
	}
	if moved {
		return nil
	}
	err = s.recover(ctx, why)
	if err == nil {
		// Only now: SQLite cleans up as the last one closes, but not behind a
		// database that is no longer in its place.
		s.drop(d)
	}
	return err
}

// recover makes a new database of what can be read of the damaged one, and puts
// it in its place; the damaged files stay beside it. After an error everything
// is as it was. The caller holds the guard alone.
func (s *Store) recover(ctx context.Context, why error) (err error) {
	// The user is told what became of it, by tell or as an error.
	s.log.Info("the database is damaged", "path", s.path(), "error", why)
	// Half done, it would be done again from the beginning.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recoverLimit)
	defer cancel()
	if err := removeScratch(s.dir); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp(s.dir, "recover-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	old, made := filepath.Join(scratch, "old.db"), filepath.Join(scratch, "new.db")
	for _, suffix := range suffixes[:2] {
		if err := copyFile(s.path()+suffix, old+suffix); err != nil {
			return err
		}
	}
	version := copyVersion(ctx, old)
	if version > schemaVersion() {
		return errNewer(version)
	}
	if version < 1 {
		version = schemaVersion()
	}
	if err := makeDatabase(ctx, made, version); err != nil {
		return err
	}
	found, err := salvage(ctx, old, made)
	if err != nil {
		return err
	}
	aside, err := s.replace(made)
	if err != nil {
		return err
	}
	words := fmt.Sprintf("%q was damaged (%s); it was moved to %q, and what could be read was brought over: %s",
		s.path(), oneLine(why), aside, found)
	s.log.Info("the database was recovered", "found", found.String(), "damaged", aside)
	s.tell(words)
	return nil
}

// removeScratch removes what a recovery left that was killed; it holds copies.
func removeScratch(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, "recover-*"))
	for _, path := range left {
		err = errors.Join(err, os.RemoveAll(path))
	}
	return err
}

// replace puts a new database into the place of the damaged one, whose files
// get the name that is returned.
func (s *Store) replace(made string) (aside string, err error) {
	stamp := s.path() + damagedMark + s.now().UTC().Format("20060102-150405")
	aside = stamp
	for n := 2; exists(aside); n++ {
		aside = fmt.Sprintf("%s-%d", stamp, n)
	}
	// A second name first: the place is never empty.
	if err := os.Link(s.path(), aside); err != nil && !errors.Is(err, fs.ErrNotExist) {
		if err := os.Rename(s.path(), aside); err != nil {
			return "", err
		}
	}
	for _, suffix := range suffixes[1:] {
		if err := os.Rename(s.path()+suffix, aside+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	if err := os.Rename(made, s.path()); err != nil {
		return "", err
	}
	return aside, create(s.path() + "-wal")
}

// damagedMark stands in the names of databases that were moved out of the way.
const damagedMark = ".damaged-"

// Aside are the damaged databases that were replaced and are kept, the oldest first.
func (s *Store) Aside() (paths []string) {
	entries, _ := os.ReadDir(s.dir)
	for _, e := range entries {
		part := slices.ContainsFunc(suffixes[1:], func(suffix string) bool { return strings.HasSuffix(e.Name(), suffix) })
		if path := filepath.Join(s.dir, e.Name()); strings.HasPrefix(path, s.path()+damagedMark) && !part {
			paths = append(paths, path)
		}
	}
	return paths
}

// tell adds to what Trouble says.
func (s *Store) tell(words string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.trouble = joinWords(s.trouble, words)
}

// noteEmpty tells of a database that was cut to nothing. A new one is empty as
// well, but then there are no tasks.
func (s *Store) noteEmpty() {
	tasks, _ := os.ReadDir(filepath.Join(s.dir, "tasks"))
	if len(tasks) > 0 && exists(s.path()) {
		if file, err := os.Stat(s.path()); err == nil && file.Size() == 0 {
			s.tell(fmt.Sprintf("%q was empty, what it held is lost; files of %s are in %q", s.path(), count(len(tasks), "task"), filepath.Join(s.dir, "tasks")))
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// copyFile copies a file if it exists.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// headerSize is that of the header of an SQLite file, magic its beginning. See
// the section "The Database Header" of SQLite's file format.
const (
	headerSize = 100
	magic      = "SQLite format 3\x00"
	pageSize   = 4096 // SQLite's default, which we never change
)

// headerVersion reads the version from the file itself, 0 if it has no header.
func headerVersion(path string) int {
	head := make([]byte, headerSize)
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	if _, err := io.ReadFull(f, head); err != nil || string(head[:len(magic)]) != magic {
		return 0
	}
	return int(int32(binary.BigEndian.Uint32(head[60:])))
}

// graft gives a copy, whose description of the tables is lost, the one of a new
// database; in both, tables begin at the same pages, for the same migrations
// made them. Pages behind the end of the copy are taken as well: of tables that
// did not grow yet.
func graft(old, made string) error {
	fresh, err := os.ReadFile(made)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(old, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	page := func(n int) []byte { return fresh[n*pageSize : (n+1)*pageSize] }
	// 0: SQLite takes the number of pages from the files.
	binary.BigEndian.PutUint32(fresh[28:], 0)
	lost := append([]int{0}, schemaPages(page(0))...)
	for n := int((info.Size() + pageSize - 1) / pageSize); n < len(fresh)/pageSize; n++ {
		lost = append(lost, n)
	}
	for _, n := range lost {
		if n < len(fresh)/pageSize {
			_, writeErr := f.WriteAt(page(n), int64(n)*pageSize)
			err = errors.Join(err, writeErr)
		}
	}
	return errors.Join(err, f.Close())
}

// schemaPages returns the pages, counted from 0, that the first page points to
// if it is an inner one. See the section "B-tree Pages" of SQLite's file format.
func schemaPages(first []byte) (pages []int) {
	const inner = 5
	if first[headerSize] != inner {
		return nil
	}
	pages = append(pages, int(binary.BigEndian.Uint32(first[headerSize+8:]))-1)
	for k := range int(binary.BigEndian.Uint16(first[headerSize+3:])) {
		cell := int(binary.BigEndian.Uint16(first[headerSize+12+2*k:]))
		pages = append(pages, int(binary.BigEndian.Uint32(first[cell:]))-1)
	}
	return pages
}
