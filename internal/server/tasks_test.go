package server

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"clined/internal/agent"
	"clined/internal/event"
	"clined/internal/protocol"
	"clined/internal/tools"
	"clined/internal/transcript"
)

func TestTaskNew(t *testing.T) {
	r := start(t, everything)
	other := t.TempDir()
	root := r.backend.spec.Roots[0]
	sub := filepath.Join(root, "sub")
	if err := os.Mkdir(sub, 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		params protocol.TaskNewParams
		cwd    string
		roots  []string
	}{
		{protocol.TaskNewParams{}, root, []string{root}},
		{protocol.TaskNewParams{Cwd: sub + "/."}, sub, []string{root}},
		{protocol.TaskNewParams{Cwd: other}, other, []string{other}},
		{protocol.TaskNewParams{Roots: []string{other, root}}, other, []string{other, root}},
		{protocol.TaskNewParams{Cwd: sub, Roots: []string{other}}, sub, []string{other}},
	}
	for i, tt := range tests {
		res, err := r.server.TaskNew(r.ctx(), &tt.params)
		if err != nil {
			t.Fatal(err)
		}
		task := r.backend.task(t, i)
		if task.Cwd != tt.cwd || !slices.Equal(task.Roots, tt.roots) || res.TaskID != task.ID || res.TurnID != "" || len(task.prompts) != 0 {
			t.Errorf("%+v: %s, %v, %+v", tt.params, task.Cwd, task.Roots, res)
		}
	}

	res, err := r.server.TaskNew(r.ctx(), &protocol.TaskNewParams{
		Mode: "plan", Config: map[string]string{"model": "big"}, ClientTaskRef: "mine",
		Prompt: []protocol.ContentBlock{{Type: "text", Text: "see"}, {Type: "text", Text: " "}, {Type: "image", MimeType: "image/png", Data: "aGk="}},
	})
	task := r.backend.task(t, len(tests))
	if err != nil || res.TurnID != "turn1" || res.MessageID != "msg1" || res.ClientTaskRef != "mine" || res.Seq != 0 {
		t.Errorf("%+v, %v", res, err)
	}
	if task.options["model"] != "big" || task.Mode != tools.Plan {
		t.Errorf("%v, %v", task.options, task.Mode)
	}
	want := []transcript.Part{transcript.TextPart("see"), {Kind: transcript.ImagePart, Image: &transcript.Image{MediaType: "image/png", Data: []byte("hi")}}}
	got, _ := json.Marshal(task.prompts[0].Parts)
	if w, _ := json.Marshal(want); string(got) != string(w) {
		t.Errorf("prompt %s", got)
	}
}

// Every native method tells what is wrong with its input.
func TestBadInput(t *testing.T) {
	r := start(t, everything)
	_, id := r.newTask()
	file := filepath.Join(r.backend.spec.Roots[0], "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	text := `[{"type":"text","text":"x"}]`
	tests := []struct {
		method, params string
		code           int64
		text           string
	}{
		{protocol.MethodTaskNew, `{"cwd":"rel/ative"}`, -32602, `invalid params: cwd "rel/ative" is not an absolute path`},
		{protocol.MethodTaskNew, `{"cwd":"file:///tmp"}`, -32602, `invalid params: cwd "file:///tmp" is not an absolute path`},
		{protocol.MethodTaskNew, `{"cwd":"/no/such/folder"}`, -32602, `invalid params: cwd "/no/such/folder" is no folder`},
		{protocol.MethodTaskNew, `{"cwd":"` + file + `"}`, -32602, `invalid params: cwd "` + file + `" is no folder`},
		{protocol.MethodTaskNew, `{"roots":["/","x"]}`, -32602, `invalid params: roots[1] "x" is not an absolute path`},
		{protocol.MethodTaskNew, `{"mode":"yolo"}`, -32602, `invalid params: mode "yolo" is unknown; use "plan" or "act"`},
		{protocol.MethodTaskNew, `{"config":{"colour":"red"}}`, -32602, `invalid params: config.colour cannot be set: there is no option "colour"`},
		{protocol.MethodTaskNew, `{"prompt":[{"type":"text","text":" \n"}]}`, -32602, `invalid params: prompt is empty`},
		{protocol.MethodTaskNew, `{"prompt":[{"text":"x"}]}`, -32602, `invalid params: prompt[0].type is missing; it is "text" or "image"`},
		{protocol.MethodTaskNew, `{"prompt":[{"type":"text","text":"x"},{"type":"audio"}]}`, -32602, `invalid params: prompt[1].type "audio" is not supported; use "text" or "image"`},
		{protocol.MethodTaskNew, `{"prompt":[{"type":"image","mimeType":"image/png","data":"%%"}]}`, -32602, `invalid params: prompt[0].data is not base64: illegal base64 data at input byte 0`},
		{protocol.MethodTaskNew, `{"prompt":[{"type":"image","mimeType":"image/png"}]}`, -32602, `invalid params: prompt[0].data is empty`},
		{protocol.MethodTaskNew, `{"prompt":[{"type":"image","mimeType":"text/html","data":"aGk="}]}`, -32602, `invalid params: prompt[0].mimeType "text/html" is not supported; use one of image/png, image/jpeg, image/gif, image/webp`},
		{protocol.MethodTaskPrompt, `{"prompt":` + text + `}`, -32602, `invalid params: taskId is missing`},
		{protocol.MethodTaskPrompt, `{"taskId":"none","prompt":` + text + `}`, 1001, `there is no task "none"`},
		{protocol.MethodTaskPrompt, `{"taskId":"` + id + `"}`, -32602, `invalid params: prompt is empty`},
		{protocol.MethodTaskPrompt, `{"taskId":"` + id + `","prompt":` + text + `,"mode":"x"}`, -32602, `invalid params: mode "x" is unknown; use "plan" or "act"`},
		{protocol.MethodTaskCancel, `{}`, -32602, `invalid params: taskId is missing`},
		{protocol.MethodTaskCancel, `{"taskId":"none"}`, 1001, `there is no task "none"`},
		{protocol.MethodConfigGet, `{"taskId":"none"}`, 1001, `there is no task "none"`},
		{protocol.MethodConfigSet, `{"taskId":"none","id":"mode","value":"act"}`, 1001, `there is no task "none"`},
		{protocol.MethodConfigSet, `{"value":"act"}`, -32602, `invalid params: id is missing`},
		{protocol.MethodConfigSet, `{"id":"colour","value":"red"}`, -32602, `invalid params: colour cannot be set: there is no option "colour"`},
		{protocol.MethodConfigSet, `{"taskId":"` + id + `","id":"colour","value":"red"}`, -32602, `invalid params: colour cannot be set: there is no option "colour"`},
		{protocol.MethodApprovalRespond, `{}`, -32602, `invalid params: approvalId is missing`},
		{protocol.MethodApprovalRespond, `{"approvalId":"none","outcome":{}}`, 1004, `there is no open approval "none"`},
		{protocol.MethodAskRespond, `{}`, -32602, `invalid params: askId is missing`},
		{protocol.MethodAskRespond, `{"askId":"none","result":{}}`, 1004, `there is no open question "none"`},
	}
	for _, tt := range tests {
		r.refused(tt.method, tt.params, tt.code, tt.text)
	}
	r.backend.noTask = errors.New("no model is set")
	r.refused(protocol.MethodTaskNew, `{}`, -32603, "the task could not be started: no model is set")

	bare := connect(t)
	bare.initialize(`{}`)
	bare.refused(protocol.MethodTaskNew, `{}`, -32602, "invalid params: cwd is missing, and the editor has no folder open")
}

// A task that cannot begin is closed again and belongs to nobody.
func TestTaskNewCleansUp(t *testing.T) {
	r := start(t, everything)
	r.backend.noPrompt = agent.ErrClosed
	for i, params := range []string{`{"config":{"colour":"red"}}`, `{"prompt":[{"type":"text","text":"x"}]}`} {
		if _, err := r.call(protocol.MethodTaskNew, params); err == nil {
			t.Errorf("%s: no error", params)
		}
		task := r.backend.task(t, i)
		if !task.closed {
			t.Errorf("%s: the task was left open", params)
		}
		r.refused(protocol.MethodTaskCancel, `{"taskId":"`+task.ID+`"}`, 1001, fmt.Sprintf("there is no task %q", task.ID))
	}
}

// A task that another process deleted is none any more, also for who holds it.
func TestTaskDeletedElsewhere(t *testing.T) {
	r := start(t, everything)
	r.backend.history.record("old")
	task := `{"taskId":"old"}`
	for range 2 {
		if _, err := r.call(protocol.MethodTaskAttach, task); err != nil {
			t.Fatal(err)
		}
	}
	r.backend.history.begin("old")
	for _, method := range []string{protocol.MethodTaskAttach, protocol.MethodTaskRead} {
		r.refused(method, task, 1001, `there is no task "old"`)
	}
}

// Also where it was never read before: what was said in it was on record.
func TestTaskDeletedElsewhereUnread(t *testing.T) {
	r := start(t, everything)
	silent, err := r.server.TaskNew(r.ctx(), &protocol.TaskNewParams{})
	if err != nil {
		t.Fatal(err)
	}
	read := func(id string) string { return `{"taskId":"` + id + `"}` }
	if _, err := r.call(protocol.MethodTaskRead, read(silent.TaskID)); err != nil { // nothing was said yet
		t.Error(err)
	}
	_, id := r.newTask()
	r.backend.history.begin(id)
	r.refused(protocol.MethodTaskRead, read(id), 1001, `there is no task "`+id+`"`)
	later := &protocol.TaskPromptParams{TaskID: silent.TaskID, Prompt: []protocol.ContentBlock{{Type: "text", Text: "hi"}}}
	if _, err := r.server.TaskPrompt(r.ctx(), later); err != nil {
		t.Fatal(err)
	}
	r.backend.history.begin(silent.TaskID)
	r.refused(protocol.MethodTaskRead, read(silent.TaskID), 1001, `there is no task "`+silent.TaskID+`"`)
}

func TestTaskPromptAndCancel(t *testing.T) {
	r := start(t, everything)
	task, id := r.newTask()
	no := false
	block := []protocol.ContentBlock{{Type: "text", Text: "more"}}
	res, err := r.server.TaskPrompt(r.ctx(), &protocol.TaskPromptParams{TaskID: id, Prompt: block})
	if err != nil || res.TurnID != "turn2" || !task.prompts[1].Queue {
		t.Errorf("%+v, %v, %+v", res, err, task.prompts[1])
	}
	if _, err = r.server.TaskPrompt(r.ctx(), &protocol.TaskPromptParams{TaskID: id, Prompt: block, Queue: &no, Mode: "plan"}); err != nil || task.prompts[2].Queue || task.prompts[2].Mode != tools.Plan {
		t.Errorf("%v, %+v", err, task.prompts[2])
	}
	if _, err := r.server.TaskCancel(r.ctx(), &protocol.TaskCancelParams{TaskID: id, TurnID: "turn3"}); err != nil || !slices.Equal(task.cancels, []string{"turn3"}) {
		t.Errorf("%v, %v", err, task.cancels)
	}
	for _, tt := range []struct {
		fail error
		code int64
		text string
	}{
		{agent.ErrBusy, 1002, agent.ErrBusy.Error()},
		{agent.ErrTurnMismatch, 1003, agent.ErrTurnMismatch.Error()},
		{agent.ErrClosed, 1001, fmt.Sprintf("there is no task %q any more", id)},
	} {
		task.mu.Lock()
		task.fail = tt.fail
		task.mu.Unlock()
		r.refused(protocol.MethodTaskPrompt, `{"taskId":"`+id+`","prompt":[{"type":"text","text":"x"}]}`, tt.code, tt.text)
		r.refused(protocol.MethodTaskCancel, `{"taskId":"`+id+`"}`, tt.code, tt.text)
	}
}

// Config answers with all options, and tells the task's followers.
func TestConfig(t *testing.T) {
	r := start(t, everything)
	task, id := r.newTask()
	show := func(res *protocol.ConfigResult, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		var s []string
		for _, o := range res.Options {
			s = append(s, o.ID+"="+o.Value)
		}
		return strings.Join(s, " ")
	}
	if got := show(r.server.ConfigSet(r.ctx(), &protocol.ConfigSetParams{ID: "model", Value: "big"})); got != "mode=act model=big" {
		t.Errorf("defaults %s", got)
	}
	if got := show(r.server.ConfigGet(r.ctx(), &protocol.ConfigGetParams{TaskID: id})); got != "mode=act model=m" {
		t.Errorf("the task has %s", got)
	}
	if got := show(r.server.ConfigSet(r.ctx(), &protocol.ConfigSetParams{TaskID: id, ID: "mode", Value: "plan"})); got != "mode=plan model=m" || task.options["mode"] != "plan" {
		t.Errorf("the task has %s", got)
	}
	r.client.until(t, "the event", func() bool {
		c, ok := r.client.last().(event.Config)
		return ok && len(c.Options) == 2 && r.client.events[len(r.client.events)-1].TurnID == ""
	})
}

// A task's first events come behind the answer that names it, whatever the
// task does while it is being asked.
func TestAnswerBeforeEvents(t *testing.T) {
	a, b := net.Pipe()
	code := make(chan int, 1)
	back := &backend{options: map[string]string{}}
	go func() {
		code <- Serve(t.Context(), b, Options{Backend: back, NewID: func() string { return "id" }})
	}()
	lines := bufio.NewReader(a)
	say := func(s string) {
		if _, err := io.WriteString(a, s+"\n"); err != nil {
			t.Error(err)
		}
	}
	hear := func(what string) {
		t.Helper()
		line, err := lines.ReadString('\n')
		if err != nil || !strings.Contains(line, what) {
			t.Errorf("got %s, %v; want %s", line, err, what)
		}
	}
	say(`{"id":1,"method":"initialize","params":{"capabilities":{"experimental":{"clined":{}}}}}`)
	hear(`"id":1`)
	for i := range 20 {
		say(fmt.Sprintf(`{"id":%d,"method":"clined/task/new","params":{"cwd":"/","prompt":[{"type":"text","text":"x"}]}}`, i+2))
		hear(fmt.Sprintf(`"id":%d,"result":{"taskId":"id","seq":0,"turnId":"turn1","messageId":"msg1"}`, i+2))
		hear(`"seq":1,"turnId":"turn1"`)
	}
	a.Close()
	<-code
}
