package store

import (
	"cmp"
	"fmt"
	"slices"
)

// link is a message without its body.
type link struct{ n, parent, depth int64 }

// tip is where a task's transcript ended.
type tip struct{ n, head, depth int64 }

// heads has each task go on from a message whose whole past is there.
func (r *rescue) heads() error {
	whole, all, err := r.links()
	if err != nil {
		return err
	}
	tips, err := r.tips()
	if err != nil {
		return err
	}
	for _, t := range tips {
		head := sound(t, whole[t.n], all)
		if head.n == t.head {
			continue
		}
		r.found.short++
		words := count(int(head.depth), "message") + " could be read"
		if t.depth != 0 {
			words = fmt.Sprintf("%d of %s could be read", head.depth, count(int(t.depth), "message"))
		}
		if _, err := r.to.ExecContext(r.ctx, `UPDATE tasks SET head = ?, depth = ?, version = version + 1,
			damage = iif(damage = '', ?4, damage || '; ' || ?4) WHERE n = ?3`, head.n, head.depth, t.n, words); err != nil {
			return err
		}
	}
	_, err = r.to.ExecContext(r.ctx, `UPDATE tasks SET
		created = coalesce((SELECT min(created) FROM messages m WHERE m.task = tasks.n), 0),
		updated = coalesce((SELECT max(created) FROM messages m WHERE m.task = tasks.n), 0) WHERE updated = 0`)
	return err
}

// links returns all messages, and by task, in their order, those whose whole
// past is there.
func (r *rescue) links() (whole map[int64][]link, all map[int64]link, err error) {
	rows, err := r.to.QueryContext(r.ctx, "SELECT task, n, parent, depth FROM messages ORDER BY n")
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	whole, all = map[int64][]link{}, map[int64]link{}
	rooted := map[int64]bool{0: true}
	for rows.Next() {
		var task int64
		var l link
		if err := rows.Scan(&task, &l.n, &l.parent, &l.depth); err != nil {
			return nil, nil, err
		}
		all[l.n] = l
		if rooted[l.parent] && l.parent < l.n {
			rooted[l.n] = true
			whole[task] = append(whole[task], l)
		}
	}
	return whole, all, rows.Err()
}

func (r *rescue) tips() (tips []tip, err error) {
	rows, err := r.to.QueryContext(r.ctx, "SELECT n, iif(updated = 0, 9223372036854775807, head), depth FROM tasks")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var t tip
		if err := rows.Scan(&t.n, &t.head, &t.depth); err != nil {
			return nil, err
		}
		tips = append(tips, t)
	}
	return tips, rows.Err()
}

// sound returns the newest message to go on from: the head, or the newest with
// its whole past in front of the last one that is missing.
func sound(t tip, whole []link, all map[int64]link) link {
	at := t.head
	for at != 0 {
		l, ok := all[at]
		if !ok {
			break
		}
		at = l.parent
	}
	if at == 0 {
		return link{n: t.head, depth: t.depth}
	}
	k, _ := slices.BinarySearchFunc(whole, at, func(l link, n int64) int { return cmp.Compare(l.n, n) })
	if k == 0 {
		return link{}
	}
	return whole[k-1]
}
