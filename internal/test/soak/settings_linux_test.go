package soak

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"clined/internal/test/binary"
)

// TestKillWhileSettingsChange: a settings file is as before or as after, what
// was reported as set is set, and the next change cleans up.
func TestKillWhileSettingsChange(t *testing.T) {
	if testing.Short() {
		t.Logf("this needs the real binary")
		return
	}
	p := newPlace(t)
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	p.write(filepath.Join(p.home, "settings.json"), "{\n  // a comment\n  \"model\": \"fake-model\"\n}\n")
	set := func(value string, limit time.Duration) bool {
		cmd := exec.Command(binary.Path(t), "config", "set", "commandTimeout", value)
		cmd.Env, cmd.Dir = p.environ(), p.dir
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(limit, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
		return cmd.Wait() == nil
	}
	last, killed := "", 0
	for n := range max(20, number(t, "SOAK", 50)/5) {
		value := fmt.Sprint(n + 100)
		done := set(value, time.Millisecond+time.Duration(r.IntN(9_000))*time.Microsecond)
		raw, err := os.ReadFile(filepath.Join(p.home, "settings.json"))
		if err != nil {
			t.Fatal(err)
		}
		var got struct{ CommandTimeout json.Number }
		text := strings.Replace(string(raw), "// a comment", "", 1)
		if err := json.Unmarshal([]byte(text), &got); err != nil || text == string(raw) {
			t.Fatalf("%v: %s", err, raw)
		}
		switch now := got.CommandTimeout.String(); {
		case done && now != value, !done && now != value && now != last:
			t.Fatalf("it is %s after setting %s, %s before; reported: %v", now, value, last, done)
		default:
			last = now
		}
		if !done {
			killed++
		}
	}
	if !set("99", hangGuard) {
		t.Error("the last change failed")
	}
	if left, err := filepath.Glob(filepath.Join(p.home, ".clined*")); err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
	t.Logf("%d changes were killed", killed)
}
