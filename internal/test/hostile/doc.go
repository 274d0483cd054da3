// Package hostile holds no code: its tests put the loop and the client of models,
// with real HTTP between them, before endpoints that answer anything at all.
package hostile
