package builtin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"clined/internal/tools"
)

func (k *kit) writeToFile() *simple {
	return &simple{spec("write_to_file", tools.Edit,
		required("path", "string", absolutePath), required("content", "string")), k.prepareWrite}
}

func (k *kit) prepareWrite(ctx context.Context, call tools.Call) (*tools.Action, error) {
	p, base, refused, err := k.editTarget(ctx, call)
	if refused != nil || err != nil {
		return refused, err
	}
	content := call.Args.String("content")
	base, copied := told(base, content)
	c, err := k.whole(p, base, copied(content), call.Origin)
	if err != nil {
		return refusal(err, func() { k.seen.sawFile(p.Abs, base) }, p), nil
	}
	if raw := bytes.TrimSpace(call.Args["content"]); len(raw) > 0 && raw[0] != '"' {
		// A text that looks like a number loses its quotes on the way from some models.
		c.notes = append(c.notes, "The content came as a number or truth and not as a text; it was written as it came.")
	}
	return k.action(ctx, proposal{callID: call.ID, changes: []*change{c}}), nil
}

// whole is the change of a file's whole text to what the model wrote. The error
// is for the model, who knows then what the file holds.
func (k *kit) whole(p tools.Path, base *tools.File, content string, origin tools.Origin) (*change, error) {
	if why := k.stale(p, base); why != nil {
		return nil, why
	}
	text, notes := adjust(p, base, content, origin)
	if why := lazy(p.Abs, base.Text, text); why != "" {
		return nil, fmt.Errorf("nothing was written to %s: %s. write_to_file replaces the whole file: change parts with replace_in_file, or send the complete text", p.Display, why)
	}
	return &change{path: p, base: base, text: text, notes: notes}, nil
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
	changed, before, kept := k.seen.changed(p.Abs, shownText(base))
	if !changed {
		return nil
	}
	text := "nothing was written: " + p.Display + " changed since you read it. "
	if kept {
		return errors.New(text + difference(before, shownText(base)))
	}
	shown := beginning(shownText(base), patchLines)
	return errors.New(text + "It begins like this now:\n" + shown + "\nTake the changes over and send the call again.")
}

// adjust makes the few changes to a text that models do not mean: an outer
// fence, a byte order mark, line ends that are not those of the file, and what
// only models do that write calls as XML. Nothing else is touched: blanks, line
// numbers and a missing final line end are meant.
func adjust(p tools.Path, base *tools.File, text string, origin tools.Origin) (string, []string) {
	var notes []string
	text = strings.TrimPrefix(text, "\uFEFF")
	if inner, ok := unfence(p.Abs, text); ok {
		text = inner
		notes = append(notes, "The code fence around the content was left out.")
	}
	if plain, ok := escapedWhole(p.Abs, text); ok && origin == tools.XML {
		text = plain
		notes = append(notes, entitiesNote)
	}
	if ends := withLineEnds(base.Text, text); ends != text {
		text = ends
		notes = append(notes, "The line ends of the file were kept ("+lineEndName(base.Text)+").")
	}
	return text, notes
}

func lineEndName(text string) string {
	switch n := strings.Count(text, "\r\n"); {
	case !strings.Contains(text, "\n"):
		return "CR"
	case n == 0:
		return "LF"
	case n == strings.Count(text, "\n"):
		return "CRLF"
	}
	return "mixed"
}
