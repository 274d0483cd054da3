package builtin

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"clined/internal/tools"
)

// rulesFolder is where a workspace keeps rules for the agent.
const rulesFolder = ".clinerules"

// notRules are folders in rulesFolder whose files are something else.
var notRules = []string{"workflows", "hooks", "skills"}

// newRule is not listed: a model has no reason to make rules of its own accord.
// Who wants one says so, and what asks the model for it names the tool.
func (k *kit) newRule() tools.Tool {
	s := spec("new_rule", tools.Edit, required("path", "string", absolutePath), required("content", "string"))
	s.Unlisted = true
	return &simple{s, k.prepareRule}
}

func (k *kit) prepareRule(ctx context.Context, call tools.Call) (*tools.Action, error) {
	p, err := k.named(call.Args, k.fileAt)
	if err != nil {
		return nil, fmt.Errorf("%w; nothing was changed", err)
	}
	if why := notARule(p); why != "" {
		return nil, fmt.Errorf("%s %s; nothing was changed: send the path %s/%s.md", p.Display, why, rulesFolder, ruleName(p))
	}
	abs := filepath.ToSlash(p.Abs)
	folder, err := k.Files.Resolve(abs[:strings.LastIndex(abs, "/"+rulesFolder+"/")] + "/" + rulesFolder)
	if err == nil {
		if info, err := k.Files.Stat(ctx, folder); err == nil && info.Exists && !info.Dir {
			return nil, fmt.Errorf("%s is a file with rules, not a folder; nothing was changed: add the rules to it with write_to_file", folder.Display)
		}
	}
	return k.prepareWrite(ctx, call)
}

// notARule says why a path is none of a rule file, "" when it is one.
func notARule(p tools.Path) string {
	folders := strings.Split(path.Dir(filepath.ToSlash(p.Abs)), "/")
	at := slices.Index(folders, rulesFolder)
	switch {
	case p.Outside:
		return "is outside the workspace"
	case at < 0:
		return "is not in " + rulesFolder
	case slices.ContainsFunc(folders[at:], func(f string) bool { return slices.Contains(notRules, f) }):
		return "is in a folder that holds no rules"
	case path.Ext(p.Abs) != ".md":
		return "does not end in .md"
	}
	return ""
}

// ruleName makes the name of a rule file of what was given as one.
func ruleName(p tools.Path) string {
	name := path.Base(p.Abs)
	name = strings.Trim(strings.TrimSuffix(name, path.Ext(name)), ".")
	if name == "" {
		return "NAME"
	}
	return name
}
