package soak

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"clined/internal/test/binary"
	"clined/internal/test/fakemcp"
)

// The test binary also plays the MCP server of the stories, and what prepares a
// small disk for a daemon.
func TestMain(m *testing.M) {
	if code, played := fakemcp.Main(); played {
		os.Exit(code)
	}
	if dir := os.Getenv(smallDisk); dir != "" {
		panic(onSmallDisk(dir))
	}
	flag.Parse()
	// Stories mostly wait, for commands and for the disk.
	if err := flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	code := m.Run()
	if left := running(); code == 0 && len(left) > 0 {
		fmt.Fprintf(os.Stderr, "left behind: %q\n", left)
		code = 1
	}
	binary.Remove()
	os.Exit(code)
}

// running returns the processes of the binary, reapers above all, that do not
// come to an end.
func running() (left []string) {
	for deadline := time.Now().Add(20 * time.Second); binary.Built() != ""; {
		left = nil
		links, _ := filepath.Glob("/proc/[0-9]*/exe")
		for _, link := range links {
			if exe, err := os.Readlink(link); err == nil && exe == binary.Built() {
				left = append(left, link)
			}
		}
		if len(left) == 0 || time.Now().After(deadline) {
			break
		}
		<-time.After(50 * time.Millisecond)
	}
	return left
}

// number reads a variable of the environment.
func number(t testing.TB, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s=%s: %v", name, text, err)
	}
	return n
}
