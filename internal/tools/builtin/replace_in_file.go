package builtin

import (
	"context"
	"fmt"

	"clined/internal/diffedit"
	"clined/internal/tools"
)

func (k *kit) replaceInFile() *simple {
	return &simple{spec("replace_in_file", tools.Edit,
		required("path", "string", absolutePath), required("diff", "string")), k.prepareReplace}
}

func (k *kit) prepareReplace(ctx context.Context, call tools.Call) (*tools.Action, error) {
	p, base, refused, err := k.editTarget(ctx, call)
	if refused != nil || err != nil {
		return refused, err
	}
	diff := call.Args.String("diff")
	base, copied := told(base, diff)
	again, err := blocks(p, copied(diff), call.Origin)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Display, err)
	}
	text, notes, err := again(base.Text)
	switch {
	case err != nil && !base.Exists:
		return refusal(fmt.Errorf("%w. Nothing was changed; write_to_file creates files", k.notThere(ctx, p)), nil, p), nil
	case err != nil:
		return refusal(fmt.Errorf("%s: %w", p.Display, err), nil, p), nil
	}
	return k.action(ctx, proposal{callID: call.ID, changes: []*change{
		{path: p, base: base, text: text, notes: notes, again: again},
	}}), nil
}

// blocks returns what a diff of blocks makes of a text.
func blocks(p tools.Path, diff string, origin tools.Origin) (func(text string) (string, []string, error), error) {
	written, err := diffedit.Parse(diff)
	var plain []diffedit.Block
	if unescaped, ok := unescape(diff); ok && origin == tools.XML && !isMarkup(p.Abs) {
		var perr error
		if plain, perr = diffedit.Parse(unescaped); err != nil && perr == nil {
			written, err = plain, nil
		}
	}
	if err != nil {
		return nil, err
	}
	return func(text string) (string, []string, error) {
		res, err := diffedit.Apply(text, written)
		var notes []string
		if err != nil && plain != nil {
			parts, ok := chooseText(written, plain, func(b diffedit.Block) bool {
				_, err := diffedit.Apply(text, []diffedit.Block{b})
				return err == nil
			})
			if ok {
				notes = []string{entitiesNote}
				res, err = diffedit.Apply(text, parts)
			}
		}
		if err != nil {
			return "", nil, err
		}
		if why := lazyParts(p.Abs, text, "block", res); why != nil {
			return "", nil, why
		}
		return res.Text, append(notes, res.Notes...), nil
	}, nil
}
