//go:build !cgo

package codedefs_test

import (
	"strings"
	"testing"

	"clined/internal/codedefs"
)

func TestBuildWithoutParsersSaysSo(t *testing.T) {
	_, ok, err := codedefs.New().Definitions(t.Context(), "a.go", []byte("package p"))
	if !ok || err == nil || !strings.Contains(err.Error(), "not in this build") {
		t.Errorf("ok = %v, error = %v", ok, err)
	}
	if langs := codedefs.Languages(); len(langs) != 0 {
		t.Errorf("languages = %v, want none", langs)
	}
}
