package builtin

import (
	"context"
	"fmt"
	"strings"

	"clined/internal/tools"
)

func (k *kit) searchFiles() tools.Tool {
	s := spec("search_files", tools.Read,
		required("path", "string", absolutePath), required("regex", "string"), optional("file_pattern", "string"))
	s.ReadOnly = true
	return &simple{s, k.prepareSearch}
}

func (k *kit) prepareSearch(_ context.Context, call tools.Call) (*tools.Action, error) {
	p, err := k.target(call.Args)
	if err != nil {
		return nil, err
	}
	regex, glob := call.Args.String("regex"), call.Args.String("file_pattern")
	return reading(fmt.Sprintf("Search %s for %s", p.Display, firstLine(regex)), func(ctx context.Context) tools.Result {
		found, err := k.Searcher.Search(ctx, p, regex, glob, tools.SearchLimits{Context: 1})
		if err != nil {
			return tools.Fail(err.Error())
		}
		if found.Total == 0 && !found.Incomplete {
			return tools.Result{Text: noMatches(p, glob, found.Searched)}
		}
		return tools.Result{Text: showMatches(p, found)}
	}, p), nil
}

// noMatches tells a search that found nothing from one that looked nowhere.
func noMatches(p tools.Path, glob string, searched int) string {
	switch {
	case searched > 0:
		return fmt.Sprintf("No matches in %s (%s searched).", p.Display, plural(searched, "file"))
	case glob != "":
		return fmt.Sprintf("Nothing was searched: no file in %s has a name that fits %s. Patterns are like *.go, src/**/*.ts or *.{c,h}.", p.Display, firstLine(glob))
	}
	return fmt.Sprintf("Nothing was searched: there are no files to look into in %s; ignored ones must be named as path.", p.Display)
}

// showMatches writes the matches file by file as grep does. What is missing is
// counted at its place.
func showMatches(p tools.Path, r *tools.SearchResult) string {
	var b strings.Builder
	shown := 0
	for _, f := range r.Files {
		matches := 0
		fmt.Fprintf(&b, "\n\n%s", f.Path)
		for i, l := range f.Lines {
			if i > 0 && l.Number > f.Lines[i-1].Number+1 {
				b.WriteString("\n--")
			}
			sign := "-"
			if l.Match {
				sign, matches = ":", matches+1
			}
			fmt.Fprintf(&b, "\n%d%s%s", l.Number, sign, l.Text)
		}
		if more := f.Total - matches; more > 0 {
			fmt.Fprintf(&b, "\n[%d more in this file]", more)
		}
		shown += matches
	}
	return matchesHead(p, r, shown) + b.String()
}

func matchesHead(p tools.Path, r *tools.SearchResult, shown int) string {
	head := fmt.Sprintf("Found %s in %s.", plural(r.Total, "match"), plural(r.TotalFiles, "file"))
	switch {
	case r.Total == 0:
		head = fmt.Sprintf("No matches in %s so far.", p.Display)
	case shown < r.Total || len(r.Files) < r.TotalFiles:
		head = fmt.Sprintf("Showing %d of %s in %d of %s. Search more narrowly to see the others.",
			shown, plural(r.Total, "match"), len(r.Files), plural(r.TotalFiles, "file"))
	}
	if r.Incomplete {
		head += " The search stopped before it had seen everything: search a smaller directory."
	}
	return head
}
