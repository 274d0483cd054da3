package main

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// check is one thing that a user may expect of a front.
type check struct {
	tier int
	name string
	// expect says what the user gets, as a sentence.
	expect string
	// files and links of the workspace, and the model's script.
	files, links map[string]string
	model        string
	// protocol and news are those of the relay's plan.
	protocol int
	news     bool
	// format is that of the front's start.
	format bool
	run    func(s *stage)
}

// checks are all of them, by tier.
func checks() []check {
	var all []check
	for _, part := range [][]check{connectionChecks, talkChecks, decisionChecks, interruptionChecks, historyChecks, editorChecks, diffChecks} {
		all = append(all, part...)
	}
	return all
}

// selection is which checks are to run.
type selection struct {
	tiers []int
	only  *regexp.Regexp
}

func (s selection) has(c *check) bool {
	for _, t := range s.tiers {
		if t == c.tier {
			return s.only.MatchString(c.name)
		}
	}
	return false
}

// result is the outcome of a check.
type result struct {
	check *check
	err   error
}

// runChecks plays one after the other and tells each as it ends.
func runChecks(ctx context.Context, r *rig, sel selection, out io.Writer) []result {
	var results []result
	for _, c := range checks() {
		if !sel.has(&c) || ctx.Err() != nil {
			continue
		}
		res := result{&c, play(ctx, r, &c)}
		tell(out, res)
		results = append(results, res)
	}
	return results
}

// tell writes the line of a check, and below it what went wrong.
func tell(out io.Writer, r result) {
	mark := "✓"
	if r.err != nil {
		mark = "✗"
	}
	_, _ = fmt.Fprintf(out, "%s %d %s: %s\n", mark, r.check.tier, r.check.name, r.check.expect)
	if r.err != nil {
		_, _ = fmt.Fprintf(out, "    %s\n", strings.ReplaceAll(r.err.Error(), "\n", "\n    "))
	}
}

// summary writes how many passed of each tier; it is true when all did and
// there were any.
func summary(out io.Writer, front string, results []result) bool {
	passed, total := map[int]int{}, map[int]int{}
	for _, r := range results {
		total[r.check.tier]++
		if r.err == nil {
			passed[r.check.tier]++
		}
	}
	var parts []string
	ok := len(results) > 0
	for tier := 1; tier <= 3; tier++ {
		if total[tier] == 0 {
			continue
		}
		parts = append(parts, fmt.Sprintf("tier %d: %d of %d", tier, passed[tier], total[tier]))
		ok = ok && passed[tier] == total[tier]
	}
	if len(parts) == 0 {
		parts = []string{"no check was run"}
	}
	_, _ = fmt.Fprintf(out, "%s: %s\n", front, strings.Join(parts, ", "))
	return ok
}
