package approval

import (
	"strings"

	"clined/internal/tools"
)

func cancelled() tools.Result {
	return tools.Result{Outcome: tools.Cancelled, Text: "The user cancelled the task before this call was run. Nothing was done."}
}

// again words why what a result offered next was not done.
func again(title, why string) string {
	return "What could be done next (" + title + ") was not done, so this result stands: " + why
}

// deniedByRule is for the model: why not, so that it can take another way.
func deniedByRule(j Judgement) tools.Result {
	return tools.Result{Outcome: tools.Denied, Text: "The call was refused and nothing was done. " + j.Reason}
}

// nobody says that a decision is needed.
func nobody(j Judgement) tools.Result {
	return tools.Result{Outcome: tools.Denied, NeedsUser: true,
		Text: "This call needs the user's approval and nobody could be asked, so nothing was done. " + j.Reason}
}

// deniedByUser says what did not happen: told less, models take an edit for
// done.
func deniedByUser(s tools.Subject, a Answer) tools.Result {
	var text string
	switch {
	case s.Kind == tools.Edit:
		text = "The user denied this edit. " + untouched(s)
	case s.Refused != "":
		text = "The user denied to run it once more without the sandbox. What it did in the sandbox is done."
	case s.Kind == tools.Command:
		text = "The user denied this command. It was NOT run and nothing was changed."
	case s.Kind == tools.Read:
		text = "The user denied this. Nothing was read and nothing was changed."
	default:
		text = "The user denied this call. It was NOT made and nothing was changed."
	}
	if said := feedback(a.Feedback); said != "" {
		text += " The user says:" + said
	} else {
		text += " Do not try the same again."
	}
	return tools.Result{Outcome: tools.Denied, Skip: true, Text: text, Images: a.Images}
}

// untouched names the files and what was not done to them.
func untouched(s tools.Subject) string {
	done := map[string]string{"create": "created", "delete": "deleted"}
	var parts []string
	for _, e := range s.Edits {
		verb := done[e.Op]
		if verb == "" {
			verb = "modified"
		}
		parts = append(parts, e.Path.Display+" was NOT "+verb+".")
	}
	if len(parts) == 0 {
		return "The file was NOT modified."
	}
	return strings.Join(parts, " ")
}

// approvedWith is what a yes with words adds to a result.
func approvedWith(said string) string {
	if said = feedback(said); said == "" {
		return ""
	}
	return "\n\nThe user approved this and says:" + said
}

func feedback(said string) string {
	if strings.TrimSpace(said) == "" {
		return ""
	}
	return "\n<feedback>\n" + strings.TrimSpace(said) + "\n</feedback>"
}
