package builtin

import (
	"context"
	"strings"

	"clined/internal/diffedit/v4a"
	"clined/internal/tools"
)

// told returns a file as it is in the encoding that an edit's text tells, where the
// file alone does not, and what turns what the model copied from the file, as it was
// shown, into what that is now. Until it is written, all else reads it as before.
func told(base *tools.File, edit string) (*tools.File, func(string) string) {
	if base.Tell != nil {
		if now, copied := base.Tell(edit); now != nil {
			return now, copied
		}
	}
	return base, func(text string) string { return text }
}

// shownText is a file's text as it is read.
func shownText(f *tools.File) string {
	if f.Shown != nil {
		return f.Shown.Text
	}
	return f.Text
}

// reopen reads the file of base as it is now, in the encoding that was told of base
// where it is still that.
func (k *kit) reopen(ctx context.Context, base *tools.File) (*tools.File, error) {
	now, err := k.open(ctx, base.Path)
	if err == nil && base.Shown != nil && now.Exists && !now.Dirty && now.Text == base.Shown.Text {
		as := *now
		as.Text, as.Encoding, as.Tell, as.Shown = base.Text, base.Encoding, nil, now
		now = &as
	}
	return now, err
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
