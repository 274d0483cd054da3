package builtin

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"clined/internal/tools"
)

func (k *kit) writeToFile() tools.Tool {
	return &simple{spec("write_to_file", tools.Edit,
		required("path", "string", absolutePath), required("content", "string")), k.prepareWrite}
}

func (k *kit) prepareWrite(ctx context.Context, call tools.Call) (*tools.Action, error) {
	p, base, refused, err := k.editTarget(ctx, call)
	if refused != nil || err != nil {
		return refused, err
	}
	if why := k.stale(p, base); why != nil {
		return refusal(p, why, func() { k.seen.sawFile(p.Abs, base) }), nil
	}
	text, notes := adjust(p, base, call.Args.String("content"))
	if why := lazy(base.Text, text); why != "" {
		return refusal(p, fmt.Errorf("nothing was written to %s: %s. write_to_file replaces the whole file: change parts with replace_in_file, or send the complete text", p.Display, why), nil), nil
	}
	return k.action(ctx, proposal{callID: call.ID, path: p, base: base, text: text, notes: notes}), nil
}

// stale says why not to replace a file that is not what the model last saw.
// Told the difference, the model may write.
func (k *kit) stale(p tools.Path, base *tools.File) error {
	if !base.Exists {
		if k.seen.knows(p.Abs) {
			return fmt.Errorf("nothing was written: %s was removed since you last saw it. Send the call again if it shall be made anew", p.Display)
		}
		return nil
	}
	changed, before, kept := k.seen.changed(p.Abs, base.Text)
	if !changed {
		return nil
	}
	text := "nothing was written: " + p.Display + " changed since you read it. "
	if kept {
		return errors.New(text + difference(before, base.Text))
	}
	shown, _, _ := numbered(splitLines(base.Text), 1, patchLines, room{readChars / 2, patchLines})
	return errors.New(text + "It begins like this now:\n" + shown + "\nTake the changes over and send the call again.")
}

// adjust makes the few changes to a text that models do not mean: an outer
// fence, a byte order mark, line ends that are not those of the file. Nothing
// else is touched: entities, blanks and a missing final line end are meant.
func adjust(p tools.Path, base *tools.File, text string) (string, []string) {
	var notes []string
	text = strings.TrimPrefix(text, "\uFEFF")
	if inner, ok := unfence(p.Abs, text); ok {
		text = inner
		notes = append(notes, "The code fence around the content was left out.")
	}
	if ends := withLineEnds(base.Text, text); ends != text {
		text = ends
		notes = append(notes, "The line ends of the file were kept ("+lineEndName(base.Text)+").")
	}
	return text, notes
}

func lineEndName(text string) string {
	switch n := strings.Count(text, "\r\n"); {
	case n == 0:
		return "LF"
	case n == strings.Count(text, "\n"):
		return "CRLF"
	}
	return "mixed"
}

// plainPrograms are files of code whose names tell no kind.
var plainPrograms = strings.Fields("makefile gnumakefile dockerfile containerfile vagrantfile jenkinsfile gemfile rakefile procfile justfile brewfile build workspace")

// unfence takes off a Markdown fence around the whole text, unless the file is
// one where it may be meant.
func unfence(file, text string) (string, bool) {
	switch strings.ToLower(path.Ext(file)) {
	case ".md", ".markdown", ".mdx", ".mdc", ".mdown", ".mkd", ".qmd", ".rmd", ".rst", ".adoc", ".txt":
		return "", false
	case "":
		// Of the names without a kind only those of programs are certain.
		if !slices.Contains(plainPrograms, strings.ToLower(path.Base(file))) {
			return "", false
		}
	}
	body := strings.TrimSpace(lf(text))
	first, rest, ok := strings.Cut(body, "\n")
	fence := first[:len(first)-len(strings.TrimLeft(first, "`"))]
	if !ok || len(fence) < 3 || strings.ContainsAny(first[len(fence):], "` \t") {
		return "", false
	}
	inner, closed := strings.CutSuffix(rest, "\n"+fence)
	if rest == fence {
		inner, closed = "", true
	}
	// A fence inside means that the outer lines may be two fences of their own.
	if !closed || strings.HasPrefix(inner, fence) || strings.Contains(inner, "\n"+fence) {
		return "", false
	}
	if inner != "" {
		inner += "\n"
	}
	return inner, true
}

// lazy tells why a text looks like a part that stands for the whole, "" if it
// does not: it is much shorter than the file and one of its new lines says
// that the rest is elsewhere. Neither alone is a reason.
func lazy(before, after string) string {
	old, fresh := splitLines(before), splitLines(after)
	lost := len(old) - len(fresh)
	if lost < 5 || len(fresh)*10 > len(old)*8 && len(after)*10 > len(before)*8 {
		return ""
	}
	known := map[string]bool{}
	for _, l := range old {
		known[strings.TrimSpace(l)] = true
	}
	for i, l := range fresh {
		if line := strings.TrimSpace(l); !known[line] && standsForMore(line) {
			return fmt.Sprintf("the new text has %s where the file has %d, and line %d (%.80s) seems to stand for the rest", plural(len(fresh), "line"), len(old), i+1, line)
		}
	}
	return ""
}
