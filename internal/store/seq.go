package store

import (
	"context"
	"slices"
	"time"
)

const (
	// seqBlock is how many event numbers are reserved at once.
	seqBlock = 4096
	// seqEarly is how many may be left when the next block is reserved.
	seqEarly = 1024
	// seqLeap is skipped where no block can be reserved: the disk is full, say.
	// Numbers must not be given twice, and who reserves next knows nothing of
	// those given without.
	seqLeap = 1 << 20
	// maxSeq is beyond what any task comes to; a higher number is damage. The
	// numbers behind it still are exact in JSON, see RFC 8259, section 6.
	maxSeq = 1 << 52
	// seqWait is how long events are held up by a block that cannot be reserved.
	seqWait = 2 * time.Second
)

const (
	// isSound holds for numbers up to maxSeq.
	isSound = " BETWEEN 0 AND 4503599627370496"
	// soundLast is the highest number that is stored of a task. Where the column
	// is damaged the items tell it, as far as they are on disk; then seqLeap.
	soundLast = "iif(seq_last" + isSound + ", seq_last, 1048576 + " +
		"(SELECT coalesce(max(i.seq), 0) FROM items i WHERE i.task = tasks.n AND i.seq" + isSound + "))"
	// soundBlock is the last number that was given away.
	soundBlock = "iif(seq_block" + isSound + ", seq_block, 1048576 + " + soundLast + ")"
)

// soundSeq is a number as it was read, 0 where it is damaged.
func soundSeq(n int64) int64 {
	if n < 0 || n > maxSeq {
		return 0
	}
	return n
}

// numbers are the event numbers that are reserved for this process.
type numbers struct {
	// next is the next to give, limit the last of the block; spare is the last
	// of a further block, 0 if there is none.
	next, limit, spare int64
	// last is the highest given or stored.
	last int64
	// blocks are all that were reserved, by their first and last numbers.
	blocks [][2]int64
}

// NextSeq returns the number of the next event. Numbers rise and never repeat,
// in other processes and after restarts either; some are skipped. The disk is
// waited for only where Begin or a flush did not reserve numbers before.
func (t *Task) NextSeq() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.haveLocked() && !t.reserveLocked() {
		t.next = max(t.limit, t.last) + seqLeap
		t.limit = t.next + seqBlock - 1
		t.blocks = append(t.blocks, [2]int64{t.next, t.limit})
	}
	n := t.next
	t.next++
	t.last = max(t.last, n)
	return n
}

// reserveLocked waits for a block, with mu released meanwhile; others may use it
// up before it is taken again. False if none can be reserved.
func (t *Task) reserveLocked() bool {
	ctx, cancel := context.WithTimeout(t.life, seqWait)
	defer cancel()
	for !t.haveLocked() {
		t.mu.Unlock()
		err := t.write(ctx, change{what: "reserve event numbers", in: t.checkFence})
		t.mu.Lock()
		if err != nil {
			t.s.log.Warn("no event numbers could be reserved", "task", t.id, "error", err)
			return t.haveLocked()
		}
	}
	return true
}

// haveLocked tells whether there is a number to give.
func (t *Task) haveLocked() bool {
	if t.next > t.limit && t.spare > t.limit {
		t.next, t.limit, t.spare = t.spare-seqBlock+1, t.spare, 0
	}
	return t.next != 0 && t.next <= t.limit
}

// Renew gives up the block that is reserved: the numbers from here on are behind all
// that were given so far, by other processes too.
func (t *Task) Renew() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.fresh == nil {
		t.next, t.spare = t.limit+1, 0
	}
}

// Gave tells whether a number is one that was given here, in no other process.
func (t *Task) Gave(seq int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.ContainsFunc(t.blocks, func(b [2]int64) bool { return b[0] <= seq && seq <= b[1] })
}

// LastSeq returns the highest number that was given here or is stored.
func (t *Task) LastSeq() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.last
}

// needLocked tells that a block should be reserved soon.
func (t *Task) needLocked() bool {
	return t.spare == 0 && (t.next == 0 || t.limit-t.next < seqEarly)
}

// reserveIn reserves a block if this process has none to spare. It returns the last
// number of the block, 0 if none is needed. ahead tells that another process has
// reserved one since: the numbers of events from here on must be behind those that
// it gives, so that who read up to one of these misses nothing.
func (t *Task) reserveIn(tx *tx, r *row) (block int64, ahead bool, err error) {
	t.mu.Lock()
	ahead = r.seqBlock > max(t.limit, t.spare)
	need := t.needLocked() || ahead
	// Numbers given without asking are behind all blocks.
	from := max(r.seqBlock, t.limit, t.spare, t.last)
	t.mu.Unlock()
	if !need {
		return 0, false, nil
	}
	r.seqBlock = from + seqBlock
	_, err = tx.exec("UPDATE tasks SET seq_block = ? WHERE n = ?", r.seqBlock, r.n)
	return r.seqBlock, ahead, err
}

// gotBlockLocked takes over a block that was reserved.
func (t *Task) gotBlockLocked(block int64, ahead bool) {
	if block != 0 {
		t.blocks = append(t.blocks, [2]int64{block - seqBlock + 1, block})
	}
	switch {
	case block == 0:
	case ahead || !t.haveLocked():
		t.next, t.limit, t.spare = block-seqBlock+1, block, 0
	default:
		t.spare = block
	}
}
