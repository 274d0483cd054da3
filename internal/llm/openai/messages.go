package openai

import (
	"encoding/base64"
	"fmt"
	"strings"

	"clined/internal/llm"
	"clined/internal/transcript"
)

// Texts that stand in for what a server would refuse.
const (
	noOutput     = "(no output)"
	noText       = "(no text)"
	imageLeftOut = "[image left out: this model sees no pictures]"
)

func messages(req llm.Request, q quirks) []message {
	w := writer{model: req.Model, quirks: q, ids: idRuleFor(req.Model.ID)}
	if req.System != "" {
		w.out = append(w.out, message{Role: "system", Content: req.System})
	}
	for i := range req.Messages {
		m := &req.Messages[i]
		switch m.Role {
		case transcript.User:
			w.out = append(w.out, message{Role: "user", Content: w.content(m.Parts)})
		case transcript.Assistant:
			w.assistant(m)
		case transcript.Tool:
			w.results(m)
		}
	}
	return w.out
}

type writer struct {
	out    []message
	model  llm.Model
	quirks quirks
	ids    idRule
}

// content is plain text wherever possible: strict servers know nothing else.
func (w *writer) content(parts []transcript.Part) any {
	var list []contentPart
	var texts []string
	images := false
	for _, p := range parts {
		switch {
		case p.Kind == transcript.ImagePart && w.model.Images:
			list = append(list, picture(p.Image))
			images = true
		case p.Kind == transcript.ImagePart:
			texts = append(texts, imageLeftOut)
		case p.Text != "":
			list = append(list, contentPart{Type: "text", Text: p.Text})
			texts = append(texts, p.Text)
		}
	}
	if images {
		return list
	}
	if len(texts) == 0 {
		return noText
	}
	return strings.Join(texts, "\n\n")
}

func picture(i *transcript.Image) contentPart {
	url := "data:" + i.MediaType + ";base64," + base64.StdEncoding.EncodeToString(i.Data)
	return contentPart{Type: "image_url", ImageURL: &imageURL{URL: url}}
}

// assistant leaves out a message of nothing but thinking: it has neither
// content nor calls, which servers refuse.
func (w *writer) assistant(m *transcript.Message) {
	var text, thinking strings.Builder
	out := message{Role: "assistant"}
	for _, p := range m.Parts {
		switch p.Kind {
		case transcript.Text:
			text.WriteString(p.Text)
		case transcript.Thinking:
			thinking.WriteString(p.Text)
		case transcript.CallPart:
			out.ToolCalls = append(out.ToolCalls, toolCall{
				ID:       w.ids.wire(p.Call.ID),
				Type:     "function",
				Function: functionCall{Name: wireName(p.Call.Name), Arguments: string(p.Call.Object())},
			})
		}
	}
	if text.Len() == 0 && len(out.ToolCalls) == 0 {
		return
	}
	if text.Len() > 0 || w.quirks.has(textBesideCalls) {
		out.Content = text.String()
	}
	if w.model.ReplayThinking != w.quirks.has(flipThinking) {
		s := thinking.String()
		out.ReasoningContent = &s
	}
	w.out = append(w.out, out)
}

// results writes one message per result. The tool role takes no pictures, so
// those of all results follow in one message of the user's.
func (w *writer) results(m *transcript.Message) {
	var pictures []contentPart
	for _, p := range m.Parts {
		r := p.Result
		text := r.Text
		if len(r.Images) > 0 && !w.model.Images {
			text = strings.TrimPrefix(fmt.Sprintf("%s\n\n[images left out: %d; this model sees no pictures]", text, len(r.Images)), "\n\n")
		} else if len(r.Images) > 0 {
			pictures = append(pictures, contentPart{Type: "text", Text: fmt.Sprintf("Images of the result of %s:", r.Name)})
			for k := range r.Images {
				pictures = append(pictures, picture(&r.Images[k]))
			}
		}
		if text == "" {
			text = noOutput
		}
		w.out = append(w.out, message{Role: "tool", Content: text, ToolCallID: w.ids.wire(r.CallID)})
	}
	if len(pictures) > 0 {
		w.out = append(w.out, message{Role: "user", Content: pictures})
	}
}
