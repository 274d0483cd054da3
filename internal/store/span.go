package store

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// maxProbes is how many rows that cannot be read are stepped over one by one.
const maxProbes = 20_000

// table copies the rows of a table: forward up to a damaged place, backward from
// behind it, and what may be left between row by row.
func (r *rescue) table(table string) error {
	columns, err := r.columns(table)
	if err != nil {
		return err
	}
	s := &span{r: r, table: table, columns: columns, probes: maxProbes}
	for at := int64(math.MinInt64); r.ctx.Err() == nil; {
		last, err := s.scan(at, math.MaxInt64, "ASC")
		if err == nil {
			break
		}
		r.found.holes = true
		at = max(last, 0)
		end, behind := s.beyond(at)
		if end == math.MaxInt64 {
			break
		}
		s.between(at, end)
		if at = behind; at == math.MaxInt64 {
			break
		}
	}
	return errors.Join(r.ctx.Err(), r.failed)
}

// span reads one table.
type span struct {
	r       *rescue
	table   string
	columns []string
	// probes is how many more rows may be tried one by one.
	probes int
}

// beyond looks for rows behind a damaged place: from the end back, or else in
// steps that grow. It copies the rows from end on, up to behind; end is the
// greatest number if there are none, behind if they go to the end of the table.
func (s *span) beyond(at int64) (end, behind int64) {
	if end, _ = s.scan(at, math.MaxInt64, "DESC"); end != math.MaxInt64 {
		return end, math.MaxInt64
	}
	for step := int64(1); step < 1<<40 && s.r.ctx.Err() == nil; step *= 2 {
		last, err := s.scan(at+step, math.MaxInt64, "ASC")
		if last > at+step {
			end, _ = s.scan(at, last, "DESC")
			if err == nil {
				last = math.MaxInt64
			}
			return min(end, last), last
		}
	}
	return math.MaxInt64, math.MaxInt64
}

// between copies what can be read of the rows between two.
func (s *span) between(at, end int64) {
	for ; at < end-1 && s.probes > 0 && s.r.ctx.Err() == nil; s.probes-- {
		last, err := s.scan(at, end, "ASC")
		if err == nil {
			return
		}
		at = max(last, at+1)
	}
}

// scan copies the rows between two row numbers until it meets damage. It returns
// the last number that was read, or where it came from.
func (s *span) scan(after, before int64, order string) (at int64, err error) {
	at = after
	if order == "DESC" {
		at = before
	}
	list := strings.Join(s.columns, ", ")
	rows, err := s.r.from.QueryContext(s.r.ctx, fmt.Sprintf("SELECT rowid, %s FROM %s NOT INDEXED WHERE rowid > ? AND rowid < ? ORDER BY rowid %s",
		list, s.table, order), after, before)
	if err != nil {
		return at, err
	}
	defer rows.Close()
	insert := fmt.Sprintf("INSERT OR IGNORE INTO %s (%s) VALUES (?%s)", s.table, list, strings.Repeat(", ?", len(s.columns)-1))
	values, into := make([]any, len(s.columns)), []any{new(int64)}
	for k := range values {
		into = append(into, &values[k])
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return at, err
		}
		n := *into[0].(*int64)
		if order == "ASC" && n <= at || order == "DESC" && n >= at {
			s.r.found.holes = true // a page of noise has rows anywhere
			continue
		}
		at = n
		if _, err := s.r.to.ExecContext(s.r.ctx, insert, values...); err != nil {
			s.r.found.holes = true // a row that breaks a rule of its table
			if code(err) == 0 || spoils(err) {
				s.r.failed = err
				return at, err
			}
		}
	}
	return at, rows.Err()
}
