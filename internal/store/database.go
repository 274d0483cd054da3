package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"modernc.org/sqlite"
)

// connections of a process: one writes, the others read.
const connections = 3

// database is an open clined.db.
type database struct {
	pool *sql.DB
	// file tells whether path still names what was opened.
	file os.FileInfo
	// conn and its prepared statements are the writer's.
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
}

// errUnready says that there is no database yet, or one of an older version.
var errUnready = errors.New("the database is not made yet")

// errCut says that the file is shorter than any database; SQLite would take it
// for an empty one.
var errCut = errors.New("the file is cut off")

// smallest is the size of SQLite's smallest page.
const smallest = 512

// setUp chooses how SQLite locks and syncs in this process. Its locks on a file
// would be gone when anything else in the process, such as a search through the
// files of a workspace, opens and closes it: the other kind of lock is not. A
// time stamp need not be on disk for a commit to be. Where the system has
// neither, SQLite does as it always did.
var setUp = sync.OnceFunc(func() {
	_, _ = sqlite.OFDLocking(true)
	_, _ = sqlite.Fdatasync(true)
})

// connect opens the database as it lies there. The caller holds the guard.
func connect(ctx context.Context, path string) (_ *database, err error) {
	file, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && file.Size() == 0 {
		return nil, errUnready
	}
	if err != nil {
		return nil, err
	}
	if file.Size() < smallest {
		return nil, errCut
	}
	pool, err := openPool(path)
	if err != nil {
		return nil, err
	}
	d := &database{pool: pool, file: file, stmts: map[string]*sql.Stmt{}}
	if d.conn, err = pool.Conn(ctx); err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	v, err := version(ctx, d.conn)
	if err == nil && v != schemaVersion() {
		err = judge(ctx, d.conn, v)
	}
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// openPool makes connections to a file that exists.
func openPool(path string) (*sql.DB, error) {
	return pool(path, true, url.Values{
		"mode":          {"rw"},
		"_busy_timeout": {"200"},
		"_journal_mode": {"WAL"},
		"_synchronous":  {"FULL"},
		"_foreign_keys": {"on"},
		"_dqs":          {"false"},
		"_error_rc":     {"true"},
		// 1 MB of pages for each connection; a -wal that grew is cut again.
		"_pragma": {"cache_size(-1000)", "temp_store(MEMORY)", "journal_size_limit(4194304)"},
	})
}

// pool makes connections to a file with options of the driver. With lasting the
// last of them leaves an empty -wal behind.
func pool(path string, lasting bool, options url.Values) (*sql.DB, error) {
	setUp()
	path = filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" {
		path = "/" + path // file:/C:/…
	}
	name := url.URL{Scheme: "file", OmitHost: true, Path: path, RawQuery: options.Encode()}
	var c driver.Connector
	c, err := sqlite.NewConnector(name.String())
	if err != nil {
		return nil, err
	}
	if lasting {
		c = lastingWAL{c}
	}
	db := sql.OpenDB(c)
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(1)
	return db, nil
}

// current tells whether path names the file that is open.
func (d *database) current(path string) bool {
	file, err := os.Stat(path)
	return err == nil && os.SameFile(file, d.file)
}

func (d *database) close() error {
	var errs []error
	for _, stmt := range d.stmts {
		errs = append(errs, stmt.Close())
	}
	if d.conn != nil {
		errs = append(errs, d.conn.Close())
	}
	return errors.Join(append(errs, d.pool.Close())...)
}

// use returns the open database, opening it if need be.
func (s *Store) use(ctx context.Context) (*database, error) {
	if d, err := s.opened(); d != nil || err != nil {
		return d, err
	}
	if err := s.opening.take(ctx); err != nil {
		return nil, err
	}
	defer s.opening.give()
	if d, err := s.opened(); d != nil || err != nil {
		return d, err
	}
	d, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	if s.db != nil {
		s.retired = append(s.retired, s.db)
	}
	s.db = d
	s.mu.Unlock()
	return d, nil
}

// opened returns the database if it is open and still in its place.
func (s *Store) opened() (*database, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	if s.db != nil && s.db.current(s.path()) {
		return s.db, nil
	}
	return nil, nil
}

// open opens the database, and makes, migrates or recovers it first if need be.
func (s *Store) open(ctx context.Context) (*database, error) {
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	if err := s.inTheWay(); err != nil {
		return nil, err
	}
	unlock, err := s.guard(ctx, false)
	if err != nil {
		return nil, err
	}
	lost := lostWAL(s.path())
	d, err := connect(ctx, s.path())
	unlock()
	if lost && err == nil {
		s.log.Info("the -wal of the database was lost", "path", s.path())
		s.tell(fmt.Sprintf("%q was missing: the newest changes of tasks may be lost with it, and what was there before holds", s.path()+"-wal"))
	}
	if !errors.Is(err, errUnready) && !isDamage(err) {
		return d, err
	}
	if unlock, err = s.guard(ctx, true); err != nil {
		return nil, err
	}
	defer unlock()
	return s.prepare(ctx)
}

// prepare makes the database ready. The caller holds the guard alone.
func (s *Store) prepare(ctx context.Context) (*database, error) {
	d, err := connect(ctx, s.path())
	if errors.Is(err, errUnready) {
		if orphaned(s.path()) {
			err = s.recover(ctx, errors.New("its main part is empty"))
		} else {
			s.noteEmpty()
			err = makeDatabase(ctx, s.path(), schemaVersion())
		}
	}
	if isDamage(err) {
		err = s.recover(ctx, err)
	}
	if err != nil || d != nil {
		return d, err
	}
	return connect(ctx, s.path())
}

// inTheWay finds what is no file where a file of the store should be.
func (s *Store) inTheWay() error {
	for _, path := range []string{s.lockPath(), s.path()} {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
			return errNoFile(path)
		}
	}
	return nil
}

// Blocked tells, without touching anything, what stands where files of the store
// should be; nil if nothing does.
func (s *Store) Blocked() error { return s.problem("keep tasks", s.inTheWay()) }

// orphaned tells of changes whose main file is lost: SQLite would delete them.
func orphaned(path string) bool {
	file, err := os.Stat(path)
	wal, walErr := os.Stat(path + "-wal")
	return (err != nil || file.Size() == 0) && walErr == nil && wal.Size() > 0
}

// create makes an empty file; SQLite gives -wal and -shm the same mode.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), syncDir(filepath.Dir(path)))
}

// makeDatabase makes the file, if it does not exist, and its tables.
func makeDatabase(ctx context.Context, path string, version int) error {
	if err := create(path); err != nil {
		return err
	}
	pool, err := openPool(path)
	if err != nil {
		return err
	}
	return errors.Join(migrate(ctx, pool, version), pool.Close())
}

// guard locks clined.lock: shared by whoever writes or opens, held alone by
// whoever makes, migrates or moves the database. So nobody writes to a file
// that was moved aside.
func (s *Store) guard(ctx context.Context, alone bool) (unlock func(), err error) {
	lock := flock.New(s.lockPath())
	try := lock.TryRLockContext
	if alone {
		try = lock.TryLockContext
	}
	if _, err := try(ctx, 5*time.Millisecond); err != nil {
		return nil, err
	}
	return func() {
		if err := lock.Unlock(); err != nil {
			s.log.Warn("clined.lock stays locked", "error", err)
		}
	}, nil
}
