package store

import "testing"

// No two versions have the same tables, so these tell which one it is.
func TestTablesTellTheVersion(t *testing.T) {
	seen := map[string]int{"": 0}
	for v := 1; v <= schemaVersion(); v++ {
		tables, err := tablesOf(t.Context(), v)
		if err != nil {
			t.Fatal(err)
		}
		if other, double := seen[tables]; double {
			t.Errorf("versions %d and %d have the same tables", other, v)
		}
		seen[tables] = v
		if known, err := versionOf(t.Context(), tables); known != v || err != nil {
			t.Errorf("version %d is taken for %d, %v", v, known, err)
		}
	}
	if v, err := versionOf(t.Context(), "table other\nCREATE TABLE other (n)\n"); v != 0 || err != nil {
		t.Errorf("tables that are not ours are of version %d, %v", v, err)
	}
}
