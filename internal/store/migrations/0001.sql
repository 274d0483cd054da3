-- Times are milliseconds since 1970, UTC. Texts that are opaque to the store
-- are kept as they came.

CREATE TABLE tasks (
  n           INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  title       TEXT NOT NULL DEFAULT '',
  cwd         TEXT NOT NULL,
  roots       TEXT NOT NULL,               -- JSON array of paths
  created     INTEGER NOT NULL,
  updated     INTEGER NOT NULL,
  mode        TEXT NOT NULL DEFAULT '',
  model       TEXT NOT NULL DEFAULT '',
  favorite    INTEGER NOT NULL DEFAULT 0,
  state       TEXT NOT NULL DEFAULT 'idle', -- idle, running, interrupted; see leases
  stop_reason TEXT NOT NULL DEFAULT '',
  turn        TEXT NOT NULL DEFAULT '',
  head        INTEGER NOT NULL DEFAULT 0,  -- newest message of the current branch, 0: none
  depth       INTEGER NOT NULL DEFAULT 0,  -- messages of the current branch
  version     INTEGER NOT NULL DEFAULT 0,  -- of the transcript; each change of head raises it
  fence       INTEGER NOT NULL DEFAULT 0,  -- raised by each turn; who holds an older one lost
  rewinds     INTEGER NOT NULL DEFAULT 0,
  seq_block   INTEGER NOT NULL DEFAULT 0,  -- event numbers up to this one are given away
  seq_last    INTEGER NOT NULL DEFAULT 0,  -- highest event number that is stored
  totals      BLOB,
  damage      TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX tasks_updated ON tasks (updated, n);
CREATE INDEX tasks_cwd ON tasks (cwd, updated, n);

-- What is as long as a prompt stands apart, so that lists need not step over it.
CREATE TABLE notes (
  task     INTEGER PRIMARY KEY REFERENCES tasks (n) ON DELETE CASCADE,
  system   TEXT NOT NULL DEFAULT '',
  standing BLOB
) STRICT;

-- A message points to the one before it: a branch is a chain from tasks.head to
-- a message without parent. Rows never change. n rises along each chain.
-- parent is no foreign key: it would need an index and protects nothing here.
CREATE TABLE messages (
  n       INTEGER PRIMARY KEY,
  task    INTEGER NOT NULL REFERENCES tasks (n) ON DELETE CASCADE,
  parent  INTEGER NOT NULL,                -- 0: none
  depth   INTEGER NOT NULL,                -- 1 without parent
  id      TEXT NOT NULL,
  seq     INTEGER NOT NULL,                -- newest event number when it was appended
  created INTEGER NOT NULL,
  body    TEXT NOT NULL                    -- JSON; images are files
) STRICT;
CREATE INDEX messages_task ON messages (task, n);
CREATE INDEX messages_id ON messages (task, id);

-- What fronts show. hidden is 0, or the number of the rewind that took it away.
CREATE TABLE items (
  n      INTEGER PRIMARY KEY,
  task   INTEGER NOT NULL REFERENCES tasks (n) ON DELETE CASCADE,
  hidden INTEGER NOT NULL DEFAULT 0,
  key    TEXT NOT NULL,
  seq    INTEGER NOT NULL,
  first  INTEGER NOT NULL,
  turn   TEXT NOT NULL,
  time   INTEGER NOT NULL,
  said   INTEGER NOT NULL DEFAULT 0,       -- 1: in the index said
  body   TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX items_key ON items (task, hidden, key);
CREATE INDEX items_first ON items (task, hidden, first);
CREATE INDEX items_seq ON items (task, hidden, seq);

-- Full-text index without a copy of the text. rowid is items.n of a message, or
-- -tasks.n for a title.
CREATE VIRTUAL TABLE said USING fts5 (
  text, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2'
);

-- Who runs a task now.
CREATE TABLE leases (
  task  INTEGER PRIMARY KEY REFERENCES tasks (n) ON DELETE CASCADE,
  fence INTEGER NOT NULL,
  boot  TEXT NOT NULL,
  pid   INTEGER NOT NULL,
  start TEXT NOT NULL,
  since INTEGER NOT NULL,
  beat  INTEGER NOT NULL
) STRICT;

CREATE TABLE rules (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  scope     TEXT NOT NULL,                 -- user, workspace
  workspace TEXT NOT NULL,                 -- real path, '' for scope user
  text      BLOB NOT NULL,
  created   INTEGER NOT NULL
) STRICT;

CREATE TABLE trust (
  path    TEXT PRIMARY KEY,
  hash    TEXT NOT NULL,
  created INTEGER NOT NULL
) STRICT;
