package soak

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"
)

// counts tell how often each thing was put to the test.
type counts struct {
	stories, kills, ends, events, acked, prompts, messages, transcripts, databases, workspaces, approvals, asks, resumed atomic.Int64
	modes, lists, cancels                                                                                                atomic.Int64

	done, notDone, unknown, open atomic.Int64
}

func (c *counts) deed(what told) {
	switch what {
	case done:
		c.done.Add(1)
	case notDone:
		c.notDone.Add(1)
	case unknown:
		c.unknown.Add(1)
	case nothing:
		c.open.Add(1)
	}
}

func (c *counts) String() string {
	return fmt.Sprintf("%d kills and %d other ends in %d stories, %d resumes; %d prompts acknowledged and looked for %d times; %d messages of requests found on disk; "+
		"%d event numbers; %d transcripts; %d databases; %d workspaces; %d approvals, %d questions answered; %d modes, %d checklists, %d cancels; calls told as done %d, not done %d, unknown %d, open %d",
		c.kills.Load(), c.ends.Load(), c.stories.Load(), c.resumed.Load(), c.acked.Load(), c.prompts.Load(), c.messages.Load(), c.events.Load(), c.transcripts.Load(),
		c.databases.Load(), c.workspaces.Load(), c.approvals.Load(), c.asks.Load(), c.modes.Load(), c.lists.Load(), c.cancels.Load(), c.done.Load(), c.notDone.Load(), c.unknown.Load(), c.open.Load())
}

// TestKill kills the daemon at random moments of random stories, and then the
// one that took the task up. Nothing is lost, nothing is done twice.
func TestKill(t *testing.T) {
	if testing.Short() {
		t.Logf("this needs the real binary")
		return
	}
	count := &counts{}
	wanted := int64(number(t, "SOAK", 50))
	seed := uint64(number(t, "SOAK_SEED", 0))
	if seed != 0 {
		tell(t, seed, count)
		t.Log(count)
		return
	}
	first := uint64(time.Now().UnixNano())
	t.Run("stories", func(t *testing.T) {
		for worker := range uint64(4) {
			t.Run(fmt.Sprint(worker), func(t *testing.T) {
				t.Parallel()
				for n := uint64(0); count.kills.Load() < wanted && !t.Failed(); n++ {
					seed := (first + n*4 + worker) % (1 << 31)
					if !t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { tell(t, seed, count) }) {
						t.Logf("replay it by SOAK_SEED=%d", seed)
					}
				}
			})
		}
	})
	t.Log(count)
}

// tell plays one story with its kills.
func tell(t *testing.T, seed uint64, count *counts) {
	t.Helper()
	s := begin(t, seed, count)
	r := rand.New(rand.NewPCG(seed, 1<<41))
	count.stories.Add(1)
	for kills := 1 + r.IntN(5); !t.Failed(); kills-- {
		var at *moment
		if kills > 0 {
			m := aMoment(r)
			at = &m
		}
		over, err := s.live(at)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case over:
		case at.how == kill:
			count.kills.Add(1)
		default:
			count.ends.Add(1)
		}
		if over || r.IntN(2) == 0 { // else the daemon is the first to see what was left
			s.check(over)
		}
		if over {
			break
		}
	}
	s.model.Dismiss()
}
