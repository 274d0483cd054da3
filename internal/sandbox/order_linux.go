package sandbox

import (
	"fmt"
	"strconv"
)

// order is a plan as the child gets it, in its arguments. A command cannot
// change those of the process that it will be, and does not see them: they are
// gone by the time it runs.
type order struct {
	// abi is the version of Landlock to use.
	abi              int
	writable, hidden []string
	network          bool
	// spaces: the process has namespaces of its own.
	spaces bool
	// pin are folders to fix where they are, the outer ones first, keep those
	// to make read-only. cover are files and folders to put something else in
	// the place of, sockets those of processes outside.
	pin, keep, cover, sockets []string
	// try ends the child once it is confined: its exit code tells.
	try bool
}

// endOfOrder is followed by the path of the command and its arguments.
const endOfOrder = "--"

// args are one argument for each value: a letter and the value. Paths are bytes,
// so no text format would do.
func (o order) args() []string {
	args := []string{"a" + strconv.Itoa(o.abi)}
	for _, list := range []struct {
		letter string
		paths  []string
	}{{"w", o.writable}, {"h", o.hidden}, {"p", o.pin}, {"k", o.keep}, {"c", o.cover}, {"s", o.sockets}} {
		for _, path := range list.paths {
			args = append(args, list.letter+path)
		}
	}
	for _, flag := range []struct {
		letter string
		set    bool
	}{{"n", o.network}, {"u", o.spaces}, {"t", o.try}} {
		if flag.set {
			args = append(args, flag.letter)
		}
	}
	return append(args, endOfOrder)
}

// parseOrder undoes args; the rest is the command. What it does not know is an
// error: another version may have meant a restriction by it.
func parseOrder(args []string) (o order, rest []string, err error) {
	for i, arg := range args {
		if arg == endOfOrder {
			return o, args[i+1:], nil
		}
		if arg == "" {
			return o, nil, fmt.Errorf("argument %d is empty", i+1)
		}
		switch value := arg[1:]; arg[0] {
		case 'a':
			if o.abi, err = strconv.Atoi(value); err != nil {
				return o, nil, err
			}
		case 'w':
			o.writable = append(o.writable, value)
		case 'h':
			o.hidden = append(o.hidden, value)
		case 'p':
			o.pin = append(o.pin, value)
		case 'k':
			o.keep = append(o.keep, value)
		case 'c':
			o.cover = append(o.cover, value)
		case 's':
			o.sockets = append(o.sockets, value)
		case 'n':
			o.network = true
		case 'u':
			o.spaces = true
		case 't':
			o.try = true
		default:
			return o, nil, fmt.Errorf("argument %q is not known", arg)
		}
	}
	return o, nil, fmt.Errorf("arguments end without %q", endOfOrder)
}
