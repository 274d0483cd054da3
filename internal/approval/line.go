package approval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// maxLineBytes bounds what is parsed; a longer command asks. Linux takes no
// longer one either (MAX_ARG_STRLEN).
const maxLineBytes = 128 << 10

// maxWords bounds the words of all commands; judging some takes time by the square
// of their number.
const maxWords = 2000

// maxDepth bounds the brackets open at once: the parser recurses.
const maxDepth = 500

// line is a command line taken apart.
type line struct {
	// odd says why the line cannot be judged by its simple commands, as a
	// sentence; "" when it can.
	odd string
	// tangled is odd, but for redirections of files, of which redirects tells.
	tangled   string
	redirects bool
	// unread is set when no dialect parses the line: what it holds is not known.
	unread bool
	// partly is set when some dialect does not parse the line, source is its text.
	partly bool
	source string
	// commands are the simple commands that run, in order; all of them only
	// where nothing is odd.
	commands []simple
	// shown are the simple commands as written, wherever they stand.
	shown []simple
	// nested are all commands that can be seen anywhere, in substitutions too.
	nested []simple
	// words are all words and redirection targets, unquoted as far as known,
	// with braces expanded.
	words []string
	// given are words but for those that name no file, see nameless.
	given []string
	// outputs are those words that are targets of redirections that write, with an
	// empty one where a target is not known.
	outputs []string
	// unsettled is a word that may name a file and whose value is known only when
	// the line runs, as written; "" when there is none. fedUnsettled is set when
	// that holds for one of inputs.
	unsettled    string
	fedUnsettled bool
	// behindCd is set when all of the line but a cd runs only after it, by "&&".
	behindCd bool
	// pipes is set when a command writes the input of another one.
	pipes bool
	// inputs are the texts of here-documents and here-strings, values those of
	// variables that are set.
	inputs, values []string
	// sets are the variables that are set, for one command or from then on.
	sets []setting
}

// setting is a variable that is set; value is not fixed where it is not known.
type setting struct {
	name  string
	value word
}

// simple is a simple command.
type simple struct {
	words []word
	// spread are the words with lists in braces written out, nil where there are
	// none.
	spread []word
	// piped is set when another command writes its input, captured when its output
	// becomes words or an input by a substitution.
	piped, captured bool
	// moved is set when a cd stands before it; went are the targets, without text
	// where they are not known.
	moved bool
	went  []word
	// text is the command as written, odd why it cannot be judged by its words,
	// and own what can be seen in it; all are of those that are shown.
	text, odd string
	own       *line
}

// name is the program's, "" where there is none.
func (c simple) name() string {
	if len(c.words) == 0 {
		return ""
	}
	return c.words[0].text
}

// word is an unquoted word.
type word struct {
	text string
	// fixed is set when text is exactly what the program gets: nothing in it
	// is expanded.
	fixed bool
	// plain is set when it stands in the line as it is, without any quoting.
	plain bool
	// caret is set when it would be fixed but for the "^" that it begins with.
	caret bool
	// safe is set when it is fixed or, though expanded, cannot become an option.
	safe bool
	// variable is set when a variable, or more, is expanded in it, single when it
	// is one word all the same, whatever that is.
	variable, single bool
	// head is how many bytes of text stand before what is expanded, all of them
	// where nothing is.
	head int
}

// dialects a user's shell may speak. Only what all of them understand alike can
// be allowed.
var dialects = []syntax.LangVariant{syntax.LangBash, syntax.LangPOSIX, syntax.LangMirBSDKorn, syntax.LangZsh}

// parseLine takes a command line apart in every dialect.
func parseLine(src string) line {
	if len(src) > maxLineBytes || depth(src) > maxDepth {
		return unreadable("The command is too long or too deeply nested to be judged.")
	}
	all := line{odd: strangeText(src), unread: true, source: src, behindCd: true}
	all.tangled = all.odd
	for i, d := range dialects {
		l := parseAs(src, d)
		if len(l.words) > maxWords || len(l.nested) > maxWords {
			return unreadable("The command has too many words to be judged.")
		}
		for _, c := range l.nested {
			if !slices.ContainsFunc(all.nested, func(seen simple) bool { return sameCommand(seen, c) }) {
				all.nested = append(all.nested, c)
			}
		}
		all.words = appendNew(all.words, l.words)
		all.given = appendNew(all.given, l.given)
		all.outputs = appendNew(all.outputs, l.outputs)
		all.unsettled = cmp.Or(all.unsettled, l.unsettled)
		all.fedUnsettled = all.fedUnsettled || l.fedUnsettled
		all.pipes = all.pipes || l.pipes
		all.behindCd = all.behindCd && l.behindCd
		all.inputs = appendNew(all.inputs, l.inputs)
		all.values = appendNew(all.values, l.values)
		all.sets = append(all.sets, l.sets...)
		all.unread = all.unread && l.unread
		all.partly = all.partly || l.unread
		if all.shown == nil {
			all.shown = l.shown
		}
		all.redirects = all.redirects || l.redirects
		if all.odd == "" {
			all.odd = l.odd
		}
		if all.tangled == "" {
			all.tangled = l.tangled
		}
		switch {
		case i == 0:
			all.commands = l.commands
		case all.odd == "" && !slices.EqualFunc(all.commands, l.commands, sameCommand):
			all.odd = "Shells differ in how they read this command."
			all.tangled = all.odd
		}
	}
	if all.unread {
		all.words = []string{src} // what is no text of a shell may still name files
		all.given = all.words
	}
	return all
}

func unreadable(why string) line { return line{odd: why, tangled: why, unread: true} }

// depth counts the brackets that are open at most, quoted or not.
func depth(src string) (deepest int) {
	open := 0
	for i := range len(src) {
		switch src[i] {
		case '(', '{', '[':
			open++
			deepest = max(deepest, open)
		case ')', '}', ']':
			open = max(0, open-1)
		}
	}
	return deepest
}

func appendNew(list, more []string) []string {
	known := map[string]bool{}
	for _, s := range list {
		known[s] = true
	}
	for _, s := range more {
		if !known[s] {
			known[s] = true
			list = append(list, s)
		}
	}
	return list
}

func sameCommand(a, b simple) bool {
	return a.piped == b.piped && a.captured == b.captured && slices.Equal(a.words, b.words)
}

// mark notes which commands stand behind a cd.
func mark(list []simple) {
	var went []word
	for i, c := range list {
		list[i].went, list[i].moved = slices.Clip(went), len(went) > 0
		switch {
		case !slices.Contains([]string{"cd", "pushd", "popd", "chdir"}, c.name()):
		case len(c.words) == 2:
			went = append(went, c.words[1])
		default:
			went = append(went, word{})
		}
	}
}

// strangeText finds characters that make a line look other than it is.
func strangeText(src string) string {
	if !utf8.ValidString(src) {
		return "The command is not valid UTF-8."
	}
	for _, r := range src {
		switch {
		case r == '\n' || r == '\t' || r == ' ':
		case unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Zs, unicode.Co, unicode.Cs):
			return fmt.Sprintf("The command contains the invisible or control character U+%04X.", r)
		}
	}
	return ""
}

// parseAs parses in one dialect. The parser is a library that reads hostile
// text: should it panic, the line is not understood.
func parseAs(src string, d syntax.LangVariant) (l line) {
	defer func() {
		if recover() != nil {
			l = unreadable("The command could not be parsed.")
		}
	}()
	file, err := syntax.NewParser(syntax.Variant(d)).Parse(strings.NewReader(src), "")
	var ends map[uint]bool
	if err != nil && d == syntax.LangPOSIX && strings.Contains(src, "&>") {
		src, ends = sendsAll(src)
		file, err = syntax.NewParser(syntax.Variant(d)).Parse(strings.NewReader(src), "")
	}
	if err != nil {
		return unreadable("The command could not be parsed as every common shell would read it.")
	}
	r := reader{src: src, ends: ends, pipes: map[*syntax.CallExpr]bool{}}
	r.stmts(file.Stmts, false)
	if r.l.odd == "" && len(r.l.commands) == 0 {
		r.l.odd = "The command runs nothing."
	}
	r.l.behindCd = len(file.Stmts) == 1 && beginsWithCd(file.Stmts[0])
	r.settle(file)
	r.note(file)
	r.showAll(file)
	mark(r.l.commands)
	mark(r.l.shown)
	return r.l
}

// reader builds a line from a syntax tree.
type reader struct {
	src string
	l   line
	// ends are the "&" that end a command only here, see sendsAll.
	ends map[uint]bool
	// pipes tells of each call that is read whether its input is a pipe.
	pipes map[*syntax.CallExpr]bool
	// seen are the variables whose values are words of the line.
	seen map[string]bool
	// nameless are the words of calls that name no file.
	nameless map[*syntax.Word]bool
}

func (r *reader) refuse(why string) {
	if r.l.odd == "" {
		r.l.odd = why
	}
	if r.l.tangled == "" {
		r.l.tangled = why
	}
}

func (r *reader) stmts(list []*syntax.Stmt, piped bool) {
	for _, s := range list {
		r.stmt(s, piped)
	}
}

func (r *reader) stmt(s *syntax.Stmt, piped bool) {
	if (s.Background || s.Coprocess || s.Disown) && !r.ends[s.Semicolon.Offset()] {
		r.refuse("The command starts something in the background.")
	}
	for _, rd := range s.Redirs {
		r.redirect(rd)
	}
	switch c := s.Cmd.(type) {
	case *syntax.CallExpr:
		r.call(c, piped)
	case *syntax.BinaryCmd:
		r.stmt(c.X, piped)
		r.stmt(c.Y, piped || c.Op == syntax.Pipe || c.Op == syntax.PipeAll)
	case nil:
		if r.ends == nil { // else it is the redirection behind one of them
			r.refuse("The command only redirects.")
		}
	case *syntax.TimeClause:
		if c.PosixFormat || c.Stmt == nil {
			r.refuse("The command measures time in a way of its own.")
			return
		}
		r.stmt(c.Stmt, piped)
	case *syntax.Subshell:
		r.stmts(c.Stmts, piped)
	case *syntax.Block:
		r.stmts(c.Stmts, piped)
	case *syntax.FuncDecl:
		r.refuse("The command defines a function.")
	case *syntax.DeclClause:
		r.refuse("The command declares variables.")
	default:
		r.refuse("The command uses shell control structures.")
	}
}

// programName is a name as it is looked up on PATH, or a path.
var programName = lazy(`^(\[|[A-Za-z0-9_./][A-Za-z0-9_./+-]*)$`)

func (r *reader) call(c *syntax.CallExpr, piped bool) {
	if len(c.Assigns) > 0 && (len(c.Args) == 0 || !setsHarmless(c.Assigns)) {
		r.refuse("The command sets variables.")
	}
	if r.pipes != nil {
		r.pipes[c] = piped
	}
	if len(c.Args) == 0 {
		return
	}
	s := simple{piped: piped}
	words := c.Args
	if len(words) > 1 && words[0].Lit() == "time" { // a word of other shells
		words = words[1:]
	}
	for _, w := range words {
		s.words = append(s.words, readWord(w, r.refuse))
	}
	if name := s.words[0]; !name.plain || !name.fixed || !programName().MatchString(name.text) {
		r.refuse("The command hides its program's name.")
	}
	s.spread = spread(words)
	r.l.commands = append(r.l.commands, s)
}
