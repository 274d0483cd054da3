package daemon

import (
	"context"
	"os"
	"os/exec"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

func TestAwaitEnd(t *testing.T) {
	tests := map[string]struct {
		looks []process // the last one repeats
		ended bool
	}{
		"lives on":                 {[]process{{alive: true, started: "1"}}, false},
		"ends":                     {[]process{{alive: true, started: "1"}, {alive: true, started: "1"}, {}}, true},
		"was never there":          {[]process{{}}, true},
		"its id is another's":      {[]process{{alive: true, started: "1"}, {alive: true, started: "2"}}, true},
		"start time never known":   {[]process{{alive: true}}, false},
		"start time known later":   {[]process{{alive: true}, {alive: true, started: "1"}}, false},
		"start time unknown later": {[]process{{alive: true, started: "1"}, {alive: true}}, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				looks, start := tt.looks, time.Now()
				ended := awaitEnd(ctx, 7, func(pid int) process {
					p := looks[0]
					if len(looks) > 1 {
						looks = looks[1:]
					}
					if pid != 7 {
						t.Errorf("looked at %d", pid)
					}
					return p
				})
				if ended != tt.ended {
					t.Errorf("ended: %v", ended)
				}
				if took := time.Since(start); ended && took > 10*time.Second {
					t.Errorf("told after %v", took)
				}
			})
		})
	}
}

func TestLookAt(t *testing.T) {
	own := lookAt(os.Getpid())
	if !own.alive || own != lookAt(os.Getpid()) || runtime.GOOS == "linux" && own.started == "" {
		t.Errorf("this process: %+v", own)
	}
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if p := lookAt(cmd.Process.Pid); !p.alive {
		t.Errorf("a child: %+v", p)
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "linux" { // it has ended and nobody waited for it: a zombie
		for start := time.Now(); lookAt(cmd.Process.Pid).alive; {
			if time.Since(start) > 20*time.Second {
				t.Fatal("a zombie counts as alive")
			}
			runtime.Gosched()
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if p := lookAt(cmd.Process.Pid); p.alive {
		t.Errorf("a child that has ended: %+v", p)
	}
}
