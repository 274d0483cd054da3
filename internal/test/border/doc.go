// Package border holds no code: its tests put every built-in tool, on real files
// and behind the real policy, before paths that want out of the workspace, to what
// the user hides, or to what changes the agent's own rules.
package border
