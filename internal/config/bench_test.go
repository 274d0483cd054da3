package config

import "testing"

// BenchmarkLoad is part of every start.
func BenchmarkLoad(b *testing.B) {
	dirs := Dirs{Config: b.TempDir(), State: b.TempDir(), Cache: b.TempDir()}
	if err := Save(b.Context(), dirs.SettingsFile(), "model", "m"); err != nil {
		b.Fatal(err)
	}
	root := b.TempDir()
	if err := Save(b.Context(), WorkspaceFile(root), "autoApprove.edit", true); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		Load(dirs, Sources{Roots: []string{root}, Editor: []byte(`{"shell": "sh"}`)})
	}
}
