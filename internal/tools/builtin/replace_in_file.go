package builtin

import (
	"context"
	"fmt"

	"clined/internal/diffedit"
	"clined/internal/tools"
)

func (k *kit) replaceInFile() tools.Tool {
	return &simple{spec("replace_in_file", tools.Edit,
		required("path", "string", absolutePath), required("diff", "string")), k.prepareReplace}
}

func (k *kit) prepareReplace(ctx context.Context, call tools.Call) (*tools.Action, error) {
	p, base, refused, err := k.editTarget(ctx, call)
	if refused != nil || err != nil {
		return refused, err
	}
	blocks, err := diffedit.Parse(call.Args.String("diff"))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Display, err)
	}
	apply := func(text string) (string, []string, error) {
		res, err := diffedit.Apply(text, blocks)
		if err != nil {
			return "", nil, err
		}
		return res.Text, res.Notes, nil
	}
	text, notes, err := apply(base.Text)
	switch {
	case err != nil && !base.Exists:
		return refusal(p, fmt.Errorf("%w. Nothing was changed; write_to_file creates files", k.notThere(ctx, p)), nil), nil
	case err != nil:
		return refusal(p, fmt.Errorf("%s: %w", p.Display, err), nil), nil
	}
	return k.action(ctx, proposal{callID: call.ID, path: p, base: base, text: text, notes: notes, again: apply}), nil
}
