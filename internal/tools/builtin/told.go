package builtin

import (
	"strings"

	"clined/internal/diffedit/v4a"
	"clined/internal/tools"
)

// told returns a file as it is in the encoding that an edit's text tells, where the
// file alone does not, and what turns what the model copied from the file, as it was
// shown, into what that is now. The model knows the file as well as before.
func (k *kit) told(base *tools.File, edit string) (*tools.File, func(string) string) {
	same := func(text string) string { return text }
	if base.Tell == nil {
		return base, same
	}
	now, copied := base.Tell(edit)
	if now == nil {
		return base, same
	}
	if k.seen.knows(base.Path.Abs) {
		if changed, _, _ := k.seen.changed(base.Path.Abs, base.Text); !changed {
			k.seen.saw(now.Path.Abs, now.Text)
		}
	}
	return now, copied
}

// textOf is all that a patch says of a file's text.
func textOf(f *v4a.File) string {
	var all []string
	for _, c := range f.Chunks {
		for _, a := range c.Anchors {
			all = append(all, a.Text)
		}
		for _, l := range c.Lines {
			all = append(all, l.Text)
		}
	}
	return strings.Join(all, "\n")
}

// eachText turns all that a patch says of a file's text into something else.
func eachText(f *v4a.File, turn func(string) string) {
	for _, c := range f.Chunks {
		for i := range c.Anchors {
			c.Anchors[i].Text = turn(c.Anchors[i].Text)
		}
		for i := range c.Lines {
			c.Lines[i].Text = turn(c.Lines[i].Text)
		}
	}
}
