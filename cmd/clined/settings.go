package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"

	"clined/internal/config"
	"clined/internal/store"
)

type configCmd struct {
	Get   configGetCmd   `cmd:"" help:"Print a setting as it holds now, or all that are set."`
	Set   configSetCmd   `cmd:"" help:"Change a setting in your settings file; comments in it stay."`
	Unset configUnsetCmd `cmd:"" help:"Take a setting out of your settings file, or a misspelt name."`
}

type configGetCmd struct {
	Key string `arg:"" optional:"" help:"Such as model, or log for all of a group." placeholder:"KEY"`
	Cwd string `default:"." help:"The workspace whose settings count." placeholder:"DIR"`
}

// Run prints settings.
func (c *configGetCmd) Run(ctx context.Context, a *app) error {
	cwd, err := workdir(c.Cwd)
	if err != nil {
		return err
	}
	keys := config.Keys()
	if c.Key != "" {
		if keys, err = config.Find(c.Key); err != nil {
			return err
		}
	}
	s, problems, err := a.effective(ctx, cwd)
	if err != nil {
		return err
	}
	a.tellProblems(problems)
	if len(keys) == 1 && keys[0].Name == c.Key {
		value, _ := s.Value(keys[0])
		fmt.Fprintln(a.stdout, bare(value))
		return nil
	}
	shown := 0
	for _, k := range keys {
		value, source := s.Value(k)
		if source != "" || c.Key != "" {
			shown++
		}
		switch {
		case source != "":
			fmt.Fprintf(a.stdout, "%s = %s  (%s)\n", k.Name, value, source)
		case c.Key != "":
			fmt.Fprintf(a.stdout, "%s = %s\n", k.Name, value)
		}
	}
	if shown == 0 { // for people: a script reads stdout
		fmt.Fprintln(a.stderr, "nothing is set, the defaults hold; see one by: clined config get KEY")
	}
	return nil
}

// bare is a JSON value as a script wants it: texts without quotes.
func bare(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// effective are the settings of a workspace for this user.
func (a *app) effective(ctx context.Context, root string) (*config.Settings, []config.Problem, error) {
	dirs, err := config.FindDirs()
	if err != nil {
		return nil, nil, err
	}
	st, done := a.openStore(dirs.State)
	defer done()
	s, problems := config.Load(dirs, config.Sources{Environ: os.Environ(), Roots: []string{root}, Trusted: trusted(ctx, st)})
	return s, problems, nil
}

// trusted asks the store. A store that cannot be read trusts nobody.
func trusted(ctx context.Context, st *store.Store) func(root, hash string) bool {
	return func(root, hash string) bool {
		was, ok, err := st.Trusted(ctx, root)
		return err == nil && ok && was == hash
	}
}

// fileFlags say which file is changed.
type fileFlags struct {
	Workspace bool   `help:"Change .clined/settings.json of the workspace instead of your own."`
	Cwd       string `default:"." help:"The workspace." placeholder:"DIR"`
}

// path returns the file and the folder of the workspace.
func (f fileFlags) path() (file, root string, err error) {
	root, err = workdir(f.Cwd)
	if err != nil {
		return "", "", err
	}
	if f.Workspace {
		return config.WorkspaceFile(root), root, nil
	}
	dirs, err := config.FindDirs()
	return dirs.SettingsFile(), root, err
}

type configSetCmd struct {
	Key   string `arg:"" help:"Such as model or log.level."`
	Value string `arg:"" help:"Text as it is; anything else as JSON, such as true or '[\"rm\"]'."`
	fileFlags
}

// Run changes a setting.
func (c *configSetCmd) Run(ctx context.Context, a *app) error {
	value, err := config.ParseValue(c.Key, c.Value)
	if err != nil {
		return err
	}
	file, root, err := c.path()
	if err != nil {
		return err
	}
	if err := config.Save(ctx, file, c.Key, value); err != nil {
		return err
	}
	keys, err := config.Find(c.Key)
	if err != nil {
		return err
	}
	value = keys[0].Shown(value)
	fmt.Fprintf(a.stdout, "%s is %s in %s\n", c.Key, value, file)
	return a.tellEffect(ctx, keys[0], value, file, root)
}

// tellEffect says when what was written is not what holds.
func (a *app) tellEffect(ctx context.Context, key config.Key, value json.RawMessage, file, root string) error {
	s, problems, err := a.effective(ctx, root)
	if err != nil {
		return err
	}
	a.tellProblems(slices.DeleteFunc(problems, func(p config.Problem) bool { return p.Key != key.Name })) // doctor tells of others
	if now, source := s.Value(key); string(now) != string(value) && source != file && source != "" {
		a.complain(fmt.Sprintf("%q is still %s: it comes from %s, which goes before", key.Name, now, source), "change it there")
	}
	return nil
}

type configUnsetCmd struct {
	Key string `arg:"" help:"Such as model or log.level."`
	fileFlags
}

// Run takes a setting out.
func (c *configUnsetCmd) Run(ctx context.Context, a *app) error {
	file, _, err := c.path()
	if err != nil {
		return err
	}
	if _, err := os.Stat(file); err == nil {
		err = config.Save(ctx, file, c.Key, nil)
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(a.stdout, "%s is not set in %s\n", c.Key, file)
	return nil
}
