package shell

// born tells when a process started, in clock ticks after boot; ok is false when
// it is gone or dead.
func born(pid int) (start uint64, ok bool) {
	p, ok := readStat(pid)
	if !ok || p.dead {
		return 0, false
	}
	return p.start, true
}
