package sandbox

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// Refusal is why the sandbox probably was what made a command fail, as part of a
// sentence, or "" when that is not likely. The command was held to p, exited
// with exit (not by a signal) and wrote output.
//
// It goes by what programs say, and looks at the file that they name: what could
// not have been written without the sandbox either, and what lies where the plan
// lets it be written, is no refusal.
func Refusal(exit int, output string, p Plan) string {
	if exit <= 0 {
		return ""
	}
	if exit == ExitSetup {
		if _, why, ok := strings.Cut(output, setupFailed); ok {
			why, _, _ = strings.Cut(why, "\n")
			return "the sandbox could not be set up, so the command was not run: " + why
		}
	}
	words, lines := known(), strings.Split(ends(output), "\n")
	look := looker{dir: p.Dir, writable: p.writable(), hidden: p.hidden(), kept: covered(p.kept(), p.writable()), lines: lines, exit: exit}
	for i, line := range lines {
		for _, s := range words.signs {
			if s.says.MatchString(line) {
				return s.means
			}
		}
		if !words.denied.MatchString(line) {
			continue
		}
		if why := look.file(i); why != "" {
			return why
		}
	}
	if !p.Network {
		for _, line := range lines {
			if words.offline.MatchString(line) {
				return "the sandbox gives commands no network"
			}
		}
	}
	return ""
}

// maxOutput bounds what is looked at: messages of failures stand at the end, the
// first of them sometimes at the beginning.
const maxOutput = 32 << 10

func ends(output string) string {
	if len(output) <= 2*maxOutput {
		return output
	}
	return output[:maxOutput] + "\n" + output[len(output)-maxOutput:]
}

// words are what messages are known by, compiled when first needed.
type words struct {
	// denied are the words for EACCES, EPERM, EXDEV and EROFS, as the C library,
	// node, Go, Rust, Python and Java have them, and what SQLite says instead; offline those for a host that
	// has no name or no route.
	denied, offline *regexp.Regexp
	// quoted are names in any quotes, bare are paths without, and before is the
	// word before a message: "sh: 1: cannot create x: Permission denied". The
	// speaker is the program that begins a line with its own path.
	quoted, bare, before, speaker *regexp.Regexp
	// frame is a line of a stack, which names source code.
	frame *regexp.Regexp
	signs []sign
}

// sign is a message that names no file, and what it means.
type sign struct {
	says  *regexp.Regexp
	means string
}

var known = sync.OnceValue(func() *words {
	const no = `(operation not permitted|permission denied|\bEPERM\b)`
	re := func(text string) *regexp.Regexp { return regexp.MustCompile(`(?i)` + text) }
	return &words{
		denied: re(`permission denied|\bEACCES\b|operation not permitted|\bEPERM\b|\bPermissionError\b|AccessDeniedException|` +
			`invalid cross-device link|\bEXDEV\b|read-only file system|\bEROFS\b|unable to open database ["']`),
		offline: re(`network is unreachable|network unreachable|\bENETUNREACH\b|no route to host|\bEHOSTUNREACH\b|` +
			`could ?n['o]t resolve|(un|not )able to resolve|failed to resolve|temporary failure (in name resolution|resolving)|` +
			`name or service not known|name resolution|\bEAI_AGAIN\b|\bgetaddrinfo\b|\bENOTFOUND\b|no such host|` +
			`failed to lookup address|UnknownHostException|bad address '|cannot connect to the docker daemon|no address associated|dial (tcp|udp) .*:53:|read udp .*:53: `),
		quoted:  re("['\"`‘“]([^'\"`’”]+)['\"`’”]"),
		bare:    re(`(?:^|[\s=:(\[])((?:/|\.\./|\./)[^\s'"` + "`" + `:,;()\[\]<>]+)`),
		before:  re(`(?:^|\s)([^\s:'"` + "`" + `]+): (?:permission denied|operation not permitted|read-only file system)`),
		speaker: re(`^\s*/[^\s:]+:( line \d+:| \d+:)? `),
		frame:   re(`", line \d+|:\d+\)?\s*$|^\s*at `),
		signs: []sign{
			{re(`no[ _]new[ _]priv|effective uid is not 0, is |must be (owned by uid 0 and have the )?setuid`),
				"the sandbox lets no command gain privileges, as sudo and su do"},
			{re(`\b(p?kill(all)?|fuser)\b.*` + no), "the sandbox lets a command signal only processes that it started itself"},
			{re(`\bptrace\b.*` + no), "the sandbox lets a command trace only processes that it started itself"},
			{re(`\b(u?mount|fusermount3?|losetup)\b.*(must be superuser|` + no + `)`), "the sandbox lets no command mount anything"},
			{re(`\bNo usable sandbox\b|/proc/self/(uid_map|setgroups)|^bwrap: `), "in the sandbox no program can make a sandbox of its own"},
		},
	}
})

// near is how many lines around a message its file may be named in: cargo names
// it before, node after.
const near = 4

// looker looks for the files of messages.
type looker struct {
	dir              string
	writable, hidden []string
	// kept is the part of what is kept that lies in writable.
	kept  []string
	lines []string
	exit  int
}

// file says which file was refused, when one that the message in line i names
// was.
func (l looker) file(i int) string {
	order := []int{i}
	for d := 1; d <= near; d++ {
		order = append(order, i-d, i+d)
	}
	for _, k := range order {
		if k < 0 || k >= len(l.lines) || (k != i && (known().denied.MatchString(l.lines[k]) || known().frame.MatchString(l.lines[k]))) {
			continue
		}
		named := l.named(l.lines[k])
		for _, path := range named {
			if why := l.refused(path, k == i); why != "" {
				return why
			}
		}
		if len(named) > 0 {
			return "" // it was about that file, and that was not refused by the sandbox
		}
	}
	return ""
}

// refused says that a path was; said is whether the message itself names it.
func (l looker) refused(name string, said bool) string {
	if what := ofProcess(name); what != "" {
		return fmt.Sprintf("the sandbox does not let commands %s %q, which is of a process that they did not start", what, name)
	}
	path := realParent(name)
	switch {
	case withinAny(path, l.hidden):
		return fmt.Sprintf("the sandbox keeps commands from %q", path)
	case withinAny(path, l.kept) && couldWrite(path, l.exit):
		return fmt.Sprintf("the sandbox does not let commands write %q", path)
	case said && slices.Contains(l.writable, path) && couldWrite(filepath.Dir(path), l.exit):
		return fmt.Sprintf("the sandbox does not let commands remove or rename %q, only what is in it", path)
	case withinAny(path, l.writable) || usualDevice(path) || !couldWrite(path, l.exit):
		return ""
	}
	return fmt.Sprintf("the sandbox does not let commands write %q: they write in the workspace, temporary folders and tool caches only", path)
}

func usualDevice(path string) bool {
	for _, pattern := range devices {
		if ok, _ := filepath.Match(pattern, path); ok || within(path, pattern) {
			return true
		}
	}
	return false
}

// calls are what stands before a message in the place of a name.
var calls = []string{"open", "openat", "mkdir", "rename", "unlink", "write", "link", "symlink", "connect", "bind", "exec", "fork/exec"}

// named are the files that a line may name, absolute. Names in quotes that
// are not paths mean files of the folder, in lines that are about a denial.
func (l looker) named(line string) (paths []string) {
	words := known()
	add := func(name string) {
		switch {
		case filepath.IsAbs(name):
			paths = append(paths, filepath.Clean(name))
		case l.dir != "" && !strings.Contains(name, "://"):
			paths = append(paths, filepath.Join(l.dir, name))
		}
	}
	rest := words.speaker.ReplaceAllString(line, "")
	if at := words.denied.FindStringIndex(rest); at != nil && at[0] == 0 {
		rest = line // the program speaks of itself
	}
	for _, m := range words.quoted.FindAllStringSubmatch(rest, -1) {
		if strings.Contains(m[1], "/") || words.denied.MatchString(line) {
			add(m[1])
		}
		rest = strings.Replace(rest, m[0], " ", 1)
	}
	for _, m := range words.bare.FindAllStringSubmatch(rest, -1) {
		add(m[1])
	}
	if m := words.before.FindStringSubmatch(rest); m != nil && !strings.HasPrefix(m[1], "/") && !slices.Contains(calls, m[1]) {
		add(m[1])
	}
	return paths
}
