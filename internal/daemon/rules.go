package daemon

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"
	"strconv"
	"time"

	"clined/internal/approval"
	"clined/internal/config"
	"clined/internal/protocol"
	"clined/internal/server"
	"clined/internal/store"
)

// Rules are the stored permissions as one workspace sees them. It implements
// approval.RuleStore and server.Rules.
type Rules struct {
	store *store.Store
	// workspace is the real path of the folder that rules of scope workspace
	// hold in, and task the id that those of scope task are of; "" for none.
	workspace, task string
}

var (
	_ approval.RuleStore = (*Rules)(nil)
	_ server.Rules       = (*Rules)(nil)
)

// ErrNoRule: no rule of that id is stored.
var ErrNoRule = server.ErrNoRule

// NewRules returns the rules in a folder, "" for none.
func NewRules(st *store.Store, dir string) *Rules {
	if real, err := filepath.EvalSymlinks(dir); err == nil && dir != "" {
		dir = real
	}
	return &Rules{store: st, workspace: dir}
}

// OfTask are the rules with those of a task.
func (r *Rules) OfTask(id string) *Rules {
	return &Rules{r.store, r.workspace, id}
}

// Rules implements approval.RuleStore. A rule that a newer clined wrote and this
// one cannot read allows nothing.
func (r *Rules) Rules(ctx context.Context) ([]approval.Rule, error) {
	stored, err := r.store.Rules(ctx, r.workspace, r.task)
	if err != nil {
		return nil, err
	}
	var list []approval.Rule
	var errs []error
	for _, s := range stored {
		rule, err := parseRule(s.Text)
		if err != nil {
			errs = append(errs, fmt.Errorf("rule %d: %w", s.ID, err))
			continue
		}
		rule.ID, rule.Created, rule.Scope = strconv.FormatInt(s.ID, 10), s.Created, approval.Scope(s.Scope)
		list = append(list, rule)
	}
	return list, errors.Join(errs...)
}

// Add implements approval.RuleStore.
func (r *Rules) Add(ctx context.Context, rule approval.Rule) error {
	text, err := json.Marshal(rule)
	if err != nil {
		return err
	}
	s := store.Rule{Scope: string(rule.Scope), Text: text}
	switch rule.Scope {
	case approval.WorkspaceScope:
		s.Workspace = r.workspace
	case approval.TaskScope:
		s.Task = r.task
	}
	_, err = r.store.AddRule(ctx, s)
	return err
}

// List implements server.Rules.
func (r *Rules) List(ctx context.Context, all bool) ([]protocol.RuleInfo, error) {
	stored, err := r.store.Rules(ctx, r.workspace, r.task)
	if all {
		stored, err = r.store.AllRules(ctx)
	}
	if err != nil {
		return nil, err
	}
	var list []protocol.RuleInfo
	for _, s := range stored {
		info := protocol.RuleInfo{
			ID: s.ID, Workspace: s.Workspace, TaskID: s.Task, Created: s.Created.UTC().Format(time.RFC3339),
			Rule: protocol.Rule{Scope: s.Scope}, Verdict: string(approval.Allow),
		}
		if rule, err := parseRule(s.Text); err != nil {
			// It might deny: as long as it is there, what others allow asks.
			info.Pattern, info.Verdict = "a rule that this version cannot read: "+err.Error(), string(approval.Ask)
		} else {
			info.Pattern = rule.String()
			info.Verdict = string(cmp.Or(rule.Verdict, approval.Allow))
		}
		list = append(list, info)
	}
	return list, nil
}

// Remove implements server.Rules.
func (r *Rules) Remove(ctx context.Context, id int64) error {
	err := r.store.RemoveRule(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		return server.ErrNoRule
	}
	return err
}

// parseRule reads a stored rule. A field that is not known is an error: a newer
// clined may have limited the rule by it.
func parseRule(text []byte) (rule approval.Rule, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&rule); err != nil {
		return approval.Rule{}, err
	}
	if _, err := d.Token(); err != io.EOF {
		return approval.Rule{}, errors.New("there is more behind it")
	}
	return rule, nil
}

// EnvironmentProblems are what is wrong with the variables of the environment that
// are no settings.
func EnvironmentProblems(getenv func(string) string) []config.Problem {
	_, problems := limitsOf(getenv(approval.LimitsVariable))
	return problems
}

// limitsOf reads the limits of commands that the environment gives, nil for none,
// and tells what is wrong with them.
func limitsOf(text string) (*approval.CommandLimits, []config.Problem) {
	if text == "" {
		return nil, nil
	}
	problem := config.Problem{Level: slog.LevelError, Source: "the environment", Key: approval.LimitsVariable}
	limits, err := approval.ParseClinePermissions(text)
	if err != nil {
		problem.Message, problem.Hint = err.Error()+"; every command asks", "correct the variable, or unset it"
		return limits, []config.Problem{problem}
	}
	var problems []config.Problem
	for _, key := range limits.Unknown() {
		problem.Level, problem.Message = slog.LevelWarn, fmt.Sprintf("%s has no key %q, which is left out", approval.LimitsVariable, key)
		problem.Hint = `its keys are "allow", "deny" and "allowRedirects"`
		problems = append(problems, problem)
	}
	return limits, problems
}
