package daemon

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"clined/internal/approval"
	"clined/internal/protocol"
	"clined/internal/server"
	"clined/internal/store"
)

// Rules are the stored permissions as one workspace sees them. It implements
// approval.RuleStore and server.Rules.
type Rules struct {
	store *store.Store
	// workspace is the real path of the folder that rules of scope workspace
	// hold in, "" for none.
	workspace string
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
	return &Rules{st, dir}
}

// Rules implements approval.RuleStore. A rule that a newer clined wrote and this
// one cannot read allows nothing.
func (r *Rules) Rules(ctx context.Context) ([]approval.Rule, error) {
	stored, err := r.store.Rules(ctx, r.workspace)
	if err != nil {
		return nil, err
	}
	var list []approval.Rule
	var errs []error
	for _, s := range stored {
		var rule approval.Rule
		if err := json.Unmarshal(s.Text, &rule); err != nil {
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
	if rule.Scope == approval.WorkspaceScope {
		s.Workspace = r.workspace
	}
	_, err = r.store.AddRule(ctx, s)
	return err
}

// List implements server.Rules.
func (r *Rules) List(ctx context.Context, all bool) ([]protocol.RuleInfo, error) {
	stored, err := r.store.Rules(ctx, r.workspace)
	if all {
		stored, err = r.store.AllRules(ctx)
	}
	if err != nil {
		return nil, err
	}
	var list []protocol.RuleInfo
	for _, s := range stored {
		info := protocol.RuleInfo{
			ID: s.ID, Workspace: s.Workspace, Created: s.Created.UTC().Format(time.RFC3339),
			Rule: protocol.Rule{Scope: s.Scope}, Verdict: string(approval.Allow),
		}
		var rule approval.Rule
		if err := json.Unmarshal(s.Text, &rule); err != nil {
			info.Pattern = "a rule that this version cannot read: " + err.Error()
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
