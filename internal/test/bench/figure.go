package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// figure is one line of the table.
type figure struct {
	name string
	// samples in unit; a figure without any was not measured, and why says the
	// reason.
	samples []float64
	unit    string
	why     string
	// goal is what the median must be under, 0 for a figure that is only shown.
	goal float64
	// unitOfStart is the median of a bare program in the same unit, for times of
	// a process; 0 for others.
	unitOfStart float64
	// profile is the command that shows where it goes.
	profile string
}

// missed is true when there is a goal and the median does not keep to it.
func (f figure) missed() bool {
	return f.goal > 0 && len(f.samples) > 0 && quantile(f.samples, 0.5) >= f.goal
}

// quantile q of samples, from 0 for the least to 1 for the greatest.
func quantile(samples []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(samples))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

// write prints the table and, for goals that were missed, what to look at next.
// It says whether all were met.
func write(w io.Writer, figures []figure) (met bool) {
	tab := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(tab, "figure\tmedian\t90%\tbare Go\tgoal\t")
	var missed []figure
	for _, f := range figures {
		verdict := ""
		if f.missed() {
			missed = append(missed, f)
			verdict = "MISSED"
		}
		_, _ = fmt.Fprintf(tab, "%s\t%s\t%s\n", f.name, strings.Join(f.columns(), "\t"), verdict)
	}
	_ = tab.Flush()
	for _, f := range missed {
		_, _ = fmt.Fprintf(w, "\n%s is over its goal; where it goes:\n  %s\n", f.name, f.profile)
	}
	return len(missed) == 0
}

// columns are median, 90th percentile, ratio and goal.
func (f figure) columns() []string {
	if len(f.samples) == 0 {
		return []string{"not measured here: " + f.why, "", "", ""}
	}
	median := quantile(f.samples, 0.5)
	c := []string{amount(median, f.unit), "", "", ""}
	if len(f.samples) > 1 {
		c[1] = amount(quantile(f.samples, 0.9), f.unit)
	}
	if f.unitOfStart > 0 {
		c[2] = fmt.Sprintf("× %.1f", median/f.unitOfStart)
	}
	if f.goal > 0 {
		c[3] = "< " + amount(f.goal, f.unit)
	}
	return c
}

// amount has about three digits.
func amount(v float64, unit string) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f %s", v, unit)
	case v >= 10:
		return fmt.Sprintf("%.1f %s", v, unit)
	}
	return fmt.Sprintf("%.2f %s", v, unit)
}
