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
		{protocol.MethodSetupDemo, `{}`, `{"configured":true,"provider":"openai","demo":true}`},
		{protocol.MethodSetupDemo, `{"stop":true}`, `{"configured":false,"provider":"openai"}`},
	} {
		if got, err := r.call(tt.method, tt.params); err != nil || got != tt.want {
			t.Errorf("%s %s: %s, %v, want %s", tt.method, tt.params, got, err, tt.want)
		}
	}
	if !slices.Equal(setup.asked, []protocol.ModelListParams{{Provider: "ollama"}}) {
		t.Errorf("asked %+v", setup.asked)
	}
	setup.fail = errors.New("the scripted model could not be started: no port")
	r.refused(protocol.MethodSetupDemo, `{}`, -32603, "the scripted model could not be started: no port")
	r.refused(protocol.MethodSetupDemo, `{"stop":1}`, -32602, "invalid params: stop must be true or false, not the number")
}
