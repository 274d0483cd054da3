package agent

// What the loop itself tells the model, in its own words. Tools and prompt
// sections bring theirs.
const (
	noCallReminder = "Your last reply did not use a tool, so nothing happened. " +
		"Go on with the next tool call; when the task is done, or cannot be done, say so with attempt_completion; " +
		"if you need something from the user, ask with ask_followup_question."
	cutTextReminder = "Your last reply was cut off by the output limit. " +
		"Go on in smaller steps: write less text and use a tool."
	cutCallResult = "This call was not run: your reply was cut off by the output limit, so it may be incomplete. " +
		"Nothing was changed. Write it again in smaller parts, for instance a short file first and the rest by edits."
	filteredCallResult = "This call was not run: the provider's content filter stopped the reply. Nothing was changed."
	skippedResult      = "This call was not run, because an earlier call of the same reply was turned down by the user. " +
		"Nothing was changed by it."
	endedResult       = "This call was not run, because an earlier call of the same reply ended the turn. Nothing was changed by it."
	interruptedResult = "The user interrupted this call. It may have been carried out in part; look before you rely on it."
	faultResult       = "This call failed by a fault inside clined. It may have been carried out in part; look before you rely on it."
	neverRunResult    = "The user interrupted the turn before this call was run. Nothing was changed by it."
	repeatNotice      = "\n\nNote: this is the same call with the same arguments as before, again. " +
		"If its result does not help you, try something else."
	goOnResult = "The user says: go on. Try another way than before."

	unknownResult = "clined was stopped while this call ran. It may have been carried out, in part or whole, and its result is lost. " +
		"Look at the present state before you rely on it or make it again."
	closedResult   = "clined was closed while this call ran, which ended it. It may have been carried out in part; look before you rely on it."
	notBegunResult = "This call was not made: clined was stopped before. Nothing was changed by it."
	resumedNote    = "[This task was interrupted and goes on now. Files, processes and the time may have changed since; " +
		"look again before you rely on what you saw.]"
	goOnWords = "Go on."

	turnBroken      = "[clined was stopped before this was answered.]"
	turnInterrupted = "[The user interrupted this turn.]"
	turnStopped     = "[The turn was stopped here, before an answer.]"
	turnFailed      = "[This turn ended before an answer, because of an error.]"
)
