package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"clined/internal/tools"
)

// The limits of a search that asks for none. The tool's answer is capped by
// size as well.
const (
	defaultMatches = 300
	maxContext     = 10
)

// Search implements tools.Searcher. Of a folder, it looks into what a listing
// would enter and into bulky folders, in the order of a listing; not into
// links, binary and hidden files. A file that is named is always looked into.
// Matching lines are counted, not matches. When there are more than may be
// shown, files share the room evenly. It fails with a sentence for the model.
func (t *Tree) Search(ctx context.Context, p tools.Path, regex, glob string, limits tools.SearchLimits) (*tools.SearchResult, error) {
	pattern, err := compilePattern(regex)
	if err != nil {
		return nil, err
	}
	filter, err := newFileFilter(glob)
	if err != nil {
		return nil, err
	}
	s := &search{t: t, p: pattern, filter: filter, hidden: t.o.Hidden(), hits: hits{limits: withDefaults(limits)}}
	timed, stop := context.WithTimeout(ctx, t.searchTime)
	defer stop()
	base, err := s.run(timed, p)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && timed.Err() == nil {
		return nil, err
	}
	r := s.hits.result(base)
	r.Searched = s.searched
	r.Incomplete = timed.Err() != nil
	return r, nil
}

func withDefaults(l tools.SearchLimits) tools.SearchLimits {
	if l.Matches <= 0 {
		l.Matches = defaultMatches
	}
	if l.PerFile <= 0 || l.PerFile > l.Matches {
		l.PerFile = l.Matches
	}
	l.Context = min(max(l.Context, 0), maxContext)
	return l
}

// A search is one run.
type search struct {
	t      *Tree
	p      *pattern
	filter *fileFilter
	hidden func(path string, isDir bool) bool
	hits   hits
	// searched counts the files; the walk's goroutine writes it.
	searched int
}

// A searchJob is a file to be searched.
type searchJob struct {
	index    int
	abs, rel string
	// in holds the folder it is opened in, for jobs of a walk.
	in *opened
}

func (s *search) newScan() *scan {
	return &scan{p: s.p, context: s.hits.limits.Context}
}

// run searches p and returns what the paths in the answer are below.
func (s *search) run(ctx context.Context, p tools.Path) (base string, err error) {
	abs := p.Real
	if abs == "" {
		abs = p.Abs
	}
	info, err := os.Stat(abs)
	switch {
	case err == nil && info.IsDir():
		top, err := s.t.top(p)
		if err != nil {
			return "", err
		}
		defer top.root.Close()
		return p.Display, s.folder(ctx, top, s.inWorkspace(abs), p)
	case err != nil && !s.open(abs):
		return "", unreadable(p, err)
	case err == nil && !info.Mode().IsRegular() && !s.open(abs):
		return "", fmt.Errorf("%s is neither a file nor a directory", p.Display)
	case s.hidden(abs, false):
		return "", fmt.Errorf("%s is %w", p.Display, ErrHidden)
	}
	s.searched = 1
	err = s.file(ctx, s.newScan(), searchJob{abs: abs, rel: p.Display})
	switch {
	case errors.Is(err, errNotText):
		return "", fmt.Errorf("%s is a binary file: it is not searched", p.Display)
	case err != nil:
		return "", unreadable(p, err)
	}
	return "", nil
}

func (s *search) open(abs string) bool {
	_, open := s.t.o.Overlay(abs)
	return open
}

// inWorkspace returns the slash path of a folder in its workspace folder, ""
// for that itself and outside.
func (s *search) inWorkspace(abs string) string {
	for _, r := range s.t.o.Roots() {
		if rel, ok := below(r, abs); ok && rel != "." {
			return filepath.ToSlash(rel)
		}
	}
	return ""
}

// folder walks in one goroutine and searches in several. All have ended when
// it returns.
func (s *search) folder(ctx context.Context, top folder, base string, p tools.Path) error {
	jobs := make(chan searchJob, 256)
	var workers sync.WaitGroup
	for range min(max(runtime.GOMAXPROCS(0), 2), 8) {
		workers.Go(func() {
			scan := s.newScan()
			for job := range jobs {
				// A file that cannot be read or is binary has no matches.
				if ctx.Err() == nil {
					_ = s.file(ctx, scan, job)
				}
				job.in.release()
			}
		})
	}
	err := s.walk(ctx, top, base, jobs)
	close(jobs)
	workers.Wait()
	var perr *fs.PathError
	if errors.As(err, &perr) {
		return unreadable(p, err)
	}
	return err
}

// walk sends the files below top in the order of a listing.
func (s *search) walk(ctx context.Context, top folder, base string, jobs chan<- searchJob) error {
	v := view{hidden: s.hidden, searching: true}
	var walk func(f folder) error
	walk = func(f folder) error {
		kids, err := v.read(ctx, &f)
		if err != nil {
			if f.rel == "" || ctx.Err() != nil {
				return err
			}
			return nil
		}
		var in *opened
		defer func() { in.release() }()
		for _, k := range kids {
			rel := f.rel + k.name
			switch {
			case k.enter:
				err = walk(f.child(k.name))
			case k.file && s.filter.takes(base, rel):
				if in == nil {
					if in = openFolder(&f); in == nil { // gone since
						return nil
					}
				}
				select {
				case jobs <- searchJob{index: s.searched, abs: filepath.Join(f.abs, k.name), rel: rel, in: in.retain()}:
				case <-ctx.Done():
					in.release()
				}
				s.searched++
			}
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return walk(top)
}

// file searches one file: the editor's text of it where it is open.
func (s *search) file(ctx context.Context, scan *scan, job searchJob) error {
	scan.most = s.hits.room()
	var err error
	if text, open := s.t.o.Overlay(job.abs); open {
		err = scan.text(ctx, text)
	} else {
		err = s.disk(ctx, scan, job)
	}
	if err != nil {
		return err
	}
	if scan.total > 0 {
		s.hits.add(&fileHits{index: job.index, path: job.rel, total: scan.total, kept: scan.kept, lines: scan.lines})
	}
	return nil
}

func (s *search) disk(ctx context.Context, scan *scan, job searchJob) error {
	f, err := s.openJob(job)
	if err != nil {
		return err
	}
	defer f.Close()
	f.SetReadDeadline(time.Now().Add(readTime)) // of what waits for input
	return scan.read(ctx, f)
}
