package agent

import (
	"context"
	"errors"

	"clined/internal/event"
	"clined/internal/llm"
)

// failed makes an ending of an error.
func (tn *turn) failed(err error) ending {
	var journal *journalError
	var model *llm.Error
	switch {
	case errors.As(err, &journal):
		return ending{reason: event.Failed, failure: journalFailure(journal)}
	case errors.Is(err, context.Canceled):
		return ending{reason: event.Cancelled}
	case errors.As(err, &model):
		return ending{reason: event.Failed, failure: &event.Failure{Code: string(model.Class),
			Message: model.Message, Hint: model.Hint, Status: model.Status}}
	}
	return ending{reason: event.Failed, failure: &event.Failure{Code: "internal", Message: err.Error()}}
}

// stalled is why a prompt that was accepted is not said now, for the user.
func stalled(err error) *event.Failure {
	f := journalFailure(err)
	var taken *TakenError
	if !errors.As(err, &taken) {
		f.Message = "the next prompt has to wait, for the task could not be recorded: " + err.Error()
		f.Hint = "see to the state folder and its disk, then resume the task: what waits is kept"
	}
	return f
}

// journalFailure is an error of the journal, for the user.
func journalFailure(err error) *event.Failure {
	f := &event.Failure{Code: "journal", Message: "the task could not be recorded: " + err.Error(),
		Hint: "free some disk space or check the permissions of the state folder, then send the prompt again"}
	var taken *TakenError
	var known interface{ UserHint() string }
	switch {
	case errors.As(err, &taken):
		f.Code, f.Message, f.Hint = "task_busy", taken.Error(), "wait for its end, or stop it there"
	case errors.As(err, &known) && known.UserHint() != "":
		f.Hint = known.UserHint()
	}
	return f
}
