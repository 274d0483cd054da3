package shell

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"clined/internal/tools"

	"go.uber.org/goleak"
)

// The test binary is also the reaper, and a daemon to be killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "reaper-for-test":
			os.Exit(ReaperMain(os.Stdin))
		case "daemon-for-test":
			daemonForTest(os.Args[2])
		}
	}
	goleak.VerifyTestMain(m)
}

// daemonForTest runs a line until it is killed; its output is passed on.
func daemonForTest(line string) {
	m := New(Options{Settings: func() Settings { return Settings{Shell: "/bin/sh"} }, Reaper: NewReaper([]string{os.Args[0], "reaper-for-test"}, nil)})
	res, err := m.Run(context.Background(), tools.CommandLine{Line: line}, func(s string) { fmt.Print(s) })
	fmt.Println("ended", res, err)
	select {}
}

// hang bounds every wait of the tests: ten times and more what is aimed at.
const hang = 30 * time.Second

// eventually waits for a condition about processes that are not our children.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	limit := time.After(hang)
	for !ok() {
		select {
		case <-tick.C:
		case <-limit:
			t.Fatalf("waited in vain: %s", what)
		}
	}
}
