-- Rules of scope task, which go with it. The task may not be there yet: it is
-- named by its id.
ALTER TABLE rules ADD COLUMN task TEXT NOT NULL DEFAULT '';
