package scenario

// verb does one step of a script.
type verb struct {
	// usage names the words it takes, for people who write scenarios.
	usage string
	// words is how many it needs at least.
	words int
	run   func(s *Stage, args []string) error
}

// verbs is the language of scripts, with diffVerbs, editVerbs, commandVerbs and
// plainVerbs.
var verbs = map[string]verb{
	// Life cycle.
	"initialize": {"[PARAMS-JSON]: the handshake; without it the first other verb does it", 0, (*Stage).initialize},
	"connect":    {": no handshake (for raw starts)", 0, (*Stage).noHandshake},
	"shutdown":   {": shutdown and exit", 0, (*Stage).shutdown},
	"hang-up":    {": close the connection without a word", 0, (*Stage).hangUp},
	"exited":     {"CODE: the daemon has ended with that code", 1, (*Stage).exited},

	"kill":    {": the daemon is killed", 0, (*Stage).kill},
	"restart": {"[PARAMS-JSON]: another daemon on the same state, and its handshake", 0, (*Stage).restart},

	// What the user does to the agent.
	"new":     {"TEXT [PARAMS-JSON]: start a task", 1, (*Stage).newTask},
	"prompt":  {"TEXT [PARAMS-JSON]: say something in the task", 1, (*Stage).prompt},
	"steer":   {"TEXT: say something to the running turn", 1, (*Stage).steer},
	"instead": {"N TEXT: say something in place of the user's n-th message", 2, (*Stage).instead},
	"attach":  {"[PARAMS-JSON]: follow the task; the result is its past", 0, (*Stage).attach},
	"resume":  {"[TEXT]: go on with the task", 0, (*Stage).resume},
	"mode":    {"plan|act: change the mode", 1, (*Stage).setMode},
	"set":     {"ID VALUE: change an option of the task", 2, (*Stage).setOption},
	"cancel":  {"[PARAMS-JSON]: stop the turn", 0, (*Stage).cancel},
	"approve": {"[TITLE-PART]: yes to the next approval", 0, (*Stage).approve},
	"always":  {"[TITLE-PART]: yes, always", 0, (*Stage).always},
	"reject":  {"TITLE-PART [FEEDBACK]: no to the next approval", 1, (*Stage).reject},
	"outcome": {"TITLE-PART JSON: answer the next approval with that outcome", 2, (*Stage).outcome},
	"answer":  {"TEXT: answer the next question", 1, (*Stage).answer},
	"choose":  {"OPTION: answer the next question with an option", 1, (*Stage).choose},
	"decline": {": do not answer the next question", 0, (*Stage).decline},

	// What the user does in the editor.
	"open":    {"FILE [TEXT]: open a file, with unsaved text if given", 1, (*Stage).open},
	"type":    {"FILE TEXT: replace the buffer's text", 2, (*Stage).typeText},
	"edit":    {"FILE L:C-L:C TEXT: replace a range (0-based lines, UTF-16 columns)", 3, (*Stage).editRange},
	"close":   {"FILE: close the buffer", 1, (*Stage).closeBuffer},
	"state":   {"visible=A,B tabs=A,B [active=A] [terminal=NAME:OUTPUT]: push what the editor shows", 0, (*Stage).pushState},
	"folders": {"+FOLDER|-FOLDER…: add and remove workspace folders", 1, (*Stage).folders},
	"write":   {"FILE TEXT: change a file on disk behind everyone's back", 2, (*Stage).writeFile},
	"remove":  {"FILE: a file or folder is gone from disk", 1, (*Stage).removeFile},
	"many":    {"DIR N: that many empty files are on disk below DIR", 2, (*Stage).manyFiles},
	"servers": {"PART: the MCP settings file becomes that part of the story", 1, (*Stage).writeServers},
	"refuse":  {"yes|no: the editor turns edits down", 1, (*Stage).refuse},

	// What is waited for and checked.
	"idle":       {"REASON: the turn has ended for that reason", 1, (*Stage).idle},
	"ended":      {"PART…: the end's event has these parts", 1, (*Stage).ended},
	"wait":       {"TYPE PART…: an event of that type has those parts in its JSON", 1, (*Stage).wait},
	"never":      {"TYPE PART…: no event so far is so", 1, (*Stage).never},
	"buffer":     {"FILE TEXT: the buffer holds that text", 2, (*Stage).buffer},
	"request":    {"N has|lacks|ends|is|below TEXT…: the newest message of request N (from 1) to the model", 3, (*Stage).request},
	"sent":       {"N has|lacks TEXT…: the whole body of request N", 3, (*Stage).sent},
	"size":       {"N MAX: request N is at most MAX bytes", 2, (*Stage).size},
	"requests":   {"N: so many requests were made", 1, (*Stage).requests},
	"file":       {"FILE has|lacks|is|missing [TEXT]", 2, (*Stage).file},
	"journal":    {"SERVER PART…: that scripted MCP server got messages with these parts", 2, (*Stage).journal},
	"logged":     {"PART…: the daemon's log has these parts", 1, (*Stage).logged},
	"authorized": {"TEXT: every request so far had that Authorization", 1, (*Stage).authorized},
	"nowhere":    {"TEXT: nothing was told, logged or kept in a file that holds it", 1, (*Stage).nowhere},
	"held":       {"NAME: the model holds there", 1, (*Stage).held},
	"release":    {"NAME: let the model go on that holds there", 1, (*Stage).release},
	"dismiss":    {": whatever the model is asked from now on does not count", 0, (*Stage).dismiss},
	"asked":      {"PART…: the next question has these parts", 1, (*Stage).asked},
	"approval":   {"PART…: the next approval request has these parts in its JSON", 1, (*Stage).approval},
	"unanswered": {": the open approval's request is left open", 0, (*Stage).leaveOpen},
	"respond":    {"OPTION-KIND [CODE]: answer the last approval by its id", 1, (*Stage).respond},
	"withdrawn":  {": the last approval's request was called back", 0, (*Stage).withdrawn},

	// Bare protocol.
	"call":         {"METHOD [JSON]: send a request; its answer is checked by the next lines", 1, (*Stage).call},
	"result":       {"PART…: the last call's result has these parts", 1, (*Stage).result},
	"result-lacks": {"PART…: it has none of these parts", 1, (*Stage).resultLacks},
	"fails":        {"CODE PART…: the last call failed so", 1, (*Stage).fails},
	"notify":       {"METHOD [JSON]", 1, (*Stage).notify},
	"raw":          {"TEXT: write these bytes to the daemon", 1, (*Stage).raw},
	"reads":        {"PART…: the next message of the daemon (after raw) has these parts", 1, (*Stage).reads},
}
