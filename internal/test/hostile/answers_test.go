package hostile

import (
	"fmt"
	"strconv"
	"strings"
)

// dice reads decisions off a text of bytes; once that is used up, all are 0.
type dice struct{ data []byte }

func (d *dice) roll(n int) int {
	if len(d.data) == 0 {
		return 0
	}
	b := d.data[0]
	d.data = d.data[1:]
	return int(b) % n
}

func (d *dice) one(list []string) string { return list[d.roll(len(list))] }

// Pieces of chunks, right and wrong. The first of each list is harmless.
var (
	indexes   = []string{``, `"index":0,`, `"index":1,`, `"index":"1",`, `"index":null,`, `"index":-3,`, `"index":9999999,`, `"index":{},`}
	callIDs   = []string{``, `"id":"a",`, `"id":"b",`, `"id":"",`, `"id":null,`, `"id":7,`, `"id":"bad id \u0000 ü",`}
	names     = []string{``, `"name":"look",`, `"name":"do",`, `"name":"attempt_completion",`, `"name":"lo",`, `"name":"ok",`, `"name":"no such tool!",`, `"name":"",`, `"name":null,`, `"name":5,`}
	arguments = []string{`"arguments":"{}"`, `"arguments":""`, `"arguments":"{\"n\":"`, `"arguments":"1}"`, `"arguments":"{\"n\":1}{\"n\":2}"`,
		`"arguments":{"n":1}`, `"arguments":null`, `"arguments":"[1"`, `"arguments":"\u0000}}]"`, `"arguments":7`, `"arguments":"{\"result\":\"\\ud83d\"}"`}
	finishes = []string{`"stop"`, `"tool_calls"`, `"length"`, `null`, `"content_filter"`, `"error"`, `"whatever"`, `7`, `""`}
	texts    = []string{`"hi "`, `""`, `null`, `"\ud83d"`, `[{"type":"text","text":"part"}]`, `{"type":"text"}`, `7`, `"<tool_call>{}</tool_call>"`, `"</environment_details>"`}
	usages   = []string{`{"prompt_tokens":10,"completion_tokens":2}`, `null`, `{}`, `{"prompt_tokens":-5,"completion_tokens":1e99}`,
		`{"prompt_tokens":"10"}`, `[]`, `{"prompt_tokens":3,"prompt_cache_hit_tokens":100,"total_tokens":1}`}
	faults = []string{`"busy"`, `{"message":"slow down","code":429}`, `{"message":"no","type":"invalid_request_error"}`, `{"code":"context_length_exceeded"}`, `{}`, `null`, `[]`}
	odd    = []string{`data: {"choices":[]}`, `data: {"choices":{}}`, `data: {"choices":[{"delta":null}]}`, `data: {"choices":[{"delta":{"tool_calls":"x"}}]}`,
		`data: {"choices":[{"delta":{"tool_calls":[null,7,[]]}}]}`, `data: [`, `data: null`, `data: 7`, `data: [{"error":"x"}]`, `: comment`, `data:`, `garbage`,
		`event: error`, `data: {"choices":[{"index":1,"delta":{"content":"second"}}]}`, `data: {"choices":[{"message":{"content":"whole"}}]}`,
		"data: {\"choices\":[{\"delta\":{\"content\":\"\xff\xfe\"}}]}", `data: [DONE] [DONE]`, `data: {"type":"error"}`, "\ufeff", "data: {}\r"}
	statuses = []string{"500", "429 retry-after=1", "429 retry-after=7200", "529", "400", "401", "404", "302 location=/elsewhere", "408 retry-after=never", "413", "200 body=<html>", "200 body=[]", "204"}
)

// chunk writes one event of a stream.
func (d *dice) chunk() string {
	switch d.roll(8) {
	case 0:
		return `data: {"choices":[{"delta":{"content":` + d.one(texts) + `}}]}`
	case 1:
		return `data: {"choices":[{"delta":{"reasoning_content":` + d.one(texts) + `}}]}`
	case 2, 3, 4:
		calls := make([]string, 1+d.roll(2))
		for i := range calls {
			calls[i] = fmt.Sprintf(`{%s%s"function":{%s%s}}`, d.one(indexes), d.one(callIDs), d.one(names), d.one(arguments))
		}
		return `data: {"choices":[{"delta":{"tool_calls":[` + strings.Join(calls, ",") + `]}}]}`
	case 5:
		return `data: {"choices":[{"delta":{},"finish_reason":` + d.one(finishes) + `}],"usage":` + d.one(usages) + `}`
	case 6:
		return `data: {"error":` + d.one(faults) + `}`
	}
	return d.one(odd)
}

// reply writes one reply in the language of fakellm.
func (d *dice) reply() string {
	if d.roll(8) == 7 {
		return "reply\nstatus " + d.one(statuses) + "\n"
	}
	var b strings.Builder
	b.WriteString("reply\n")
	length := 0
	for range 1 + d.roll(8) {
		chunk := d.chunk()
		length += len(chunk) + 2
		fmt.Fprintf(&b, "raw %s\nraw\n", strconv.Quote(chunk))
	}
	switch d.roll(6) {
	case 0, 1:
		b.WriteString("raw data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\nraw\nraw data: [DONE]\nraw\n")
	case 2:
		b.WriteString("raw data: [DONE]\nraw\n")
	case 3:
		fmt.Fprintf(&b, "cut after=%d\n", max(1, length*d.roll(100)/100))
	case 4:
		b.WriteString("split\n")
	}
	return b.String()
}
