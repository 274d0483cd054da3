//go:build linux

package shell

import (
	"fmt"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"clined/internal/tools"
)

// Hundreds of commands in the background leave neither files nor goroutines once
// they are gone and were told of.
func TestManyInBackground(t *testing.T) {
	const n = 200
	m := manager(t, Options{LogDir: t.TempDir()})
	m.run("true")
	files, _ := filepath.Glob("/proc/self/fd/*")
	before := runtime.NumGoroutine()
	var all sync.WaitGroup
	next := make(chan int)
	for range 8 {
		all.Go(func() {
			for i := range next {
				res, err := m.Run(t.Context(), tools.CommandLine{Line: fmt.Sprintf("echo %d; sleep 600 & true", i), ID: fmt.Sprint(i)}, nil)
				if err != nil || !res.Background || res.Output != fmt.Sprintln(i) {
					t.Errorf("%+v %v", res, err)
				}
			}
		})
	}
	for i := range n {
		next <- i
	}
	close(next)
	all.Wait()
	if list, told := m.List(), m.Running(); len(list) != n || len(told) != n {
		t.Fatalf("%d are listed, %d are told", len(list), len(told))
	}
	for i := range n {
		all.Go(func() {
			if err := m.Kill(t.Context(), fmt.Sprint(i)); err != nil {
				t.Error(i, err)
			}
		})
	}
	all.Wait()
	if left := marked(m.mark); len(left) > 0 || len(m.List()) > 0 {
		t.Errorf("left %v", left)
	}
	if told := m.Running(); len(told) != maxEnded {
		t.Errorf("%d ends are told", len(told))
	}
	eventually(t, "files and goroutines are gone", func() bool {
		now, _ := filepath.Glob("/proc/self/fd/*")
		return len(now) <= len(files)+2 && runtime.NumGoroutine() <= before+2
	})
}
