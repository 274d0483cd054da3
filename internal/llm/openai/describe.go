package openai

import (
	"encoding/json"
	"net/url"
	"strings"
	"unicode/utf16"
)

// maxDescription is the longest description of a tool that OpenAI and the
// servers modelled on it take, in characters; one that is longer fails the whole
// request. Nothing limits what stands in a schema.
const maxDescription = 1024

// limitsDescriptions reports whether a host is known for the limit. Others may
// complain, and are remembered then.
func limitsDescriptions(base *url.URL) bool {
	host := strings.ToLower(base.Hostname())
	return host == "api.openai.com" || strings.HasSuffix(host, ".openai.azure.com")
}

// fitDescription returns a description within the limit and the schema, which
// takes over what is beyond it.
func fitDescription(text string, schema json.RawMessage) (string, json.RawMessage) {
	head, rest := splitText(text, maxDescription)
	if rest == "" {
		return text, schema
	}
	o, ok := parseObject(schema)
	if !ok {
		return head, schema
	}
	var own string
	if json.Unmarshal(valueOf(o, "description"), &own) == nil && own != "" {
		rest += "\n\n" + own
	}
	raw, err := marshal("… " + rest)
	if err != nil { // a string always encodes
		return head, schema
	}
	o.set("description", raw)
	return head, o.raw()
}

// splitText cuts a text behind a line or a word so that its head has at most
// limit characters, a mark of the cut included. rest is "" for a text that fits.
func splitText(text string, limit int) (head, rest string) {
	const mark = " …"
	units, cut := 0, 0
	for i, r := range text {
		units += max(utf16.RuneLen(r), 1)
		if units <= limit-len([]rune(mark)) {
			cut = i + len(string(r))
		}
		if units > limit {
			break
		}
	}
	if units <= limit {
		return text, ""
	}
	if at := strings.LastIndexAny(text[:cut], " \n"); at > cut/2 {
		cut = at
	}
	return strings.TrimRight(text[:cut], " \n") + mark, strings.TrimLeft(text[cut:], " \n")
}
