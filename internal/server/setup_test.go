package server

import (
	"errors"
	"slices"
	"testing"

	"clined/internal/protocol"
)

func TestSetup(t *testing.T) {
	r := connect(t)
	r.initialize(`{}`)
	setup := &r.backend.setup
	setup.status = protocol.SetupStatus{Provider: "openai", Problem: "no model is set"}
	setup.models = &protocol.ModelListResult{Problem: "nobody answers", Hint: "start it"}
	for _, tt := range []struct{ method, params, want string }{
		{protocol.MethodSetupStatus, `{}`, `{"configured":false,"provider":"openai","problem":"no model is set"}`},
		{protocol.MethodSetupDiscover, `{}`, `{"servers":[]}`},
		{protocol.MethodModelList, `{"provider":"ollama"}`, `{"models":[],"problem":"nobody answers","hint":"start it"}`},
		{protocol.MethodModelList, `{"baseUrl":"https://mine","secret":" key\n"}`, `{"models":[],"problem":"nobody answers","hint":"start it"}`},
		{protocol.MethodModelList, `{"secret":" "}`, `{"models":[],"problem":"nobody answers","hint":"start it"}`},
		{protocol.MethodSetupDemo, `{}`, `{"configured":true,"provider":"openai","demo":true}`},
		{protocol.MethodSetupDemo, `{"stop":true}`, `{"configured":false,"provider":"openai"}`},
	} {
		if got, err := r.call(tt.method, tt.params); err != nil || got != tt.want {
			t.Errorf("%s %s: %s, %v, want %s", tt.method, tt.params, got, err, tt.want)
		}
	}
	if !slices.Equal(setup.asked, []protocol.ModelListParams{{Provider: "ollama"}, {BaseURL: "https://mine", Secret: "key"}, {}}) {
		t.Errorf("asked %+v", setup.asked)
	}
	r.refused(protocol.MethodModelList, `{"secret":"key"}`, -32602, "invalid params: provider is missing: a secret is sent to a place that is named with it")
	setup.fail = errors.New("the scripted model could not be started: no port")
	r.refused(protocol.MethodSetupDemo, `{}`, -32603, "the scripted model could not be started: no port")
	r.refused(protocol.MethodSetupDemo, `{"stop":1}`, -32602, "invalid params: stop must be true or false, not the number")
}

// A key that outlives the process goes by a logout for all, not for this one.
func TestLogout(t *testing.T) {
	r := connect(t)
	r.initialize(`{}`)
	const there, gone = `{"accounts":[{"provider":"openai","where":"keyring"}]}`, `{"accounts":[]}`
	for _, tt := range []struct{ method, params, want string }{
		{protocol.MethodAccountLogin, `{"provider":"openai","secret":"key"}`, there},
		{protocol.MethodAccountLogout, `{"provider":"openai","persist":false}`, there},
		{protocol.MethodAccountLogout, `{"provider":"openai","persist":true}`, gone},
		{protocol.MethodAccountLogin, `{"provider":"openai","secret":"key","persist":true}`, there},
		{protocol.MethodAccountLogout, `{"provider":"openai"}`, gone},
		{protocol.MethodAccountLogin, `{"provider":"openai","secret":"key","persist":false}`, `{"accounts":[{"provider":"openai","where":"memory"}]}`},
		{protocol.MethodAccountLogout, `{"provider":"openai","persist":false}`, gone},
	} {
		if got, err := r.call(tt.method, tt.params); err != nil || got != tt.want {
			t.Errorf("%s %s: %s, %v, want %s", tt.method, tt.params, got, err, tt.want)
		}
	}
}
