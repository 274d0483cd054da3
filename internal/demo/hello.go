package demo

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

var helloItems = []string{"Look at the folder", "Create the file"}

// helloFile is the one that the model creates; helloText is what is in it.
const (
	helloFile = "hello-clined.md"
	helloText = "# Hello from clined\n\n" +
		"This file was proposed by the scripted model of the demo, and you allowed it.\n\n" +
		"- Every edit is shown as a diff first. You can change it before you accept it.\n" +
		"- A no goes back to the model, with the words that you add.\n" +
		"- What you accepted is on your disk, and nothing else.\n\n" +
		"You can delete this file.\n"
)

var makesFile = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(create|write|add|make|new)\b.*\bfile\b|\bhello\b.*\bfile\b|\bfile\b.*\bhello\b|hello-clined|\bedit (a|something|anything)\b`)
})

// aboutHello takes any wish for a file for that one.
func aboutHello(task string) bool {
	return makesFile().MatchString(task) || strings.Contains(task, "文件") && strings.ContainsAny(task, "创建写新")
}

// hello creates a new file. It never writes to one that is there.
func hello(t *talk) reply {
	listed, ok := t.last("list_files")
	if !ok {
		return call("I will create a small file. First a look at what is here, so that nothing is overwritten.", "list_files",
			ordered{{"path", "."}, {"recursive", false}}).with(helloItems)
	}
	if !listed.made() {
		return complete("I may not look into the folder" + said(listed) + ", so I created nothing.").with(helloItems)
	}
	name := freeName(listed.result)
	if name == "" {
		return complete("There are enough files of this demo here; delete some and ask again.").with(helloItems, 0)
	}
	write, written := t.last("write_to_file")
	if read, looked := t.last("read_file"); !written && !isWhole(listed.result) {
		if !looked {
			return call(ack(listed)+fmt.Sprintf("There is more than I was shown: is there a %s already?", name), "read_file", ordered{{"path", name}}).with(helloItems)
		}
		if !strings.Contains(read.result, saysMissing) {
			return complete(fmt.Sprintf("I cannot tell that there is no %s here, so I created nothing.", name)).with(helloItems, 0)
		}
	}
	switch {
	case t.planning:
		return complete(fmt.Sprintf("The plan: create `%s`, a new file of a few lines, in act mode.", name)).with(helloItems, 0)
	case !written:
		return call(ack(listed)+fmt.Sprintf("I will create %s. Look at the proposal, change it if you like, and accept or reject it.", name), "write_to_file",
			ordered{{"path", name}, {"content", helloText}}).with(helloItems, 0)
	case strings.HasPrefix(write.result, "Created "):
		whose := ""
		if strings.Contains(write.result, "The user changed your proposal") {
			whose = ", in your own version"
		}
		return complete(fmt.Sprintf("I created `%s`%s.", write.args["path"], whose)).with(helloItems, 0, 1)
	case write.denied():
		return complete("I created nothing"+said(write)+".").with(helloItems, 0)
	}
	return complete("The file could not be created: "+oneLine(write.result, 400)).with(helloItems, 0)
}

// saysMissing is what clined says of a file that is not there.
const saysMissing = "does not exist"

var wholeListing = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\S+ (\(\d+ entr(y|ies)\)\n|is empty\.)`)
})

// isWhole reports whether a listing shows all that there is.
func isWhole(listing string) bool {
	return wholeListing().MatchString(listing) && !strings.Contains(listing, "\n[not complete")
}

// freeName is a name for the file that a listing does not have, "" when there are
// too many already.
func freeName(listing string) string {
	taken := map[string]bool{}
	for line := range strings.Lines(listing) {
		taken[strings.ToLower(strings.TrimRight(strings.TrimSpace(line), "/"))] = true
	}
	name := helloFile
	for n := 2; taken[name]; n++ {
		if n > 9 {
			return ""
		}
		name = fmt.Sprintf("%s-%d.md", strings.TrimSuffix(helloFile, ".md"), n)
	}
	return name
}
