package protocol

import (
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"clined/internal/rpc"
)

// recorder notes the names that stubs use.
type recorder struct{ names []string }

func (r *recorder) Call(_ context.Context, method string, _, _ any) error {
	r.names = append(r.names, method)
	return nil
}

func (r *recorder) Send(n rpc.Notification) error {
	r.names = append(r.names, n.Method)
	return nil
}

// Each method of an interface has one stub of its own wire name, is in the
// table with its types, and is what the table calls under that name.
func TestTablesAreTheInterfaces(t *testing.T) {
	var rec recorder
	server, client := NewServerStub(&rec), NewClientStub(&rec)
	checkSide(t, reflect.TypeFor[Server](), reflect.ValueOf(server), ServerMethods(), ServerHandler(server), &rec)
	checkSide(t, reflect.TypeFor[Client](), reflect.ValueOf(client), ClientMethods(), ClientHandler(client), &rec)
}

func checkSide(t *testing.T, iface reflect.Type, stub reflect.Value, table []Method, h rpc.Handler, rec *recorder) {
	t.Helper()
	var wire []string
	for i := range iface.NumMethod() {
		m := iface.Method(i)
		params := m.Type.In(1)
		rec.names = nil
		stub.MethodByName(m.Name).Call([]reflect.Value{reflect.ValueOf(t.Context()), reflect.New(params.Elem())})
		if len(rec.names) != 1 {
			t.Fatalf("%s.%s: the stub sent %v", iface.Name(), m.Name, rec.names)
		}
		name := rec.names[0]
		wire = append(wire, name)
		at := slices.IndexFunc(table, func(m Method) bool { return m.Name == name })
		if at < 0 {
			t.Errorf("%s.%s: %s is not in the table", iface.Name(), m.Name, name)
			continue
		}
		entry := table[at]
		if entry.Params != params.Elem() || entry.Notification != (m.Type.NumOut() == 1) ||
			!entry.Notification && entry.Result != m.Type.Out(0).Elem() {
			t.Errorf("%s.%s: the table says %+v", iface.Name(), m.Name, entry)
		}
		rec.names = nil
		if _, err := h(t.Context(), &rpc.Request{Method: name, Notification: entry.Notification}); err != nil || !slices.Equal(rec.names, []string{name}) {
			t.Errorf("%s is dispatched to %v, %v", name, rec.names, err)
		}
	}
	slices.Sort(wire)
	if len(slices.Compact(wire)) != iface.NumMethod() || len(table) != iface.NumMethod() {
		t.Errorf("%s has %d methods, %d wire names, %d entries", iface.Name(), iface.NumMethod(), len(wire), len(table))
	}
}

// The constants are the table, no more and no less.
func TestConstantsAreTheTables(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "methods.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var consts, table []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || !strings.HasPrefix(spec.Names[0].Name, "Method") {
			return true
		}
		value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		consts = append(consts, value)
		return true
	})
	for _, m := range append(ServerMethods(), ClientMethods()...) {
		table = append(table, m.Name)
	}
	slices.Sort(consts)
	slices.Sort(table)
	if !slices.Equal(consts, table) {
		t.Errorf("constants %v\ntable     %v", consts, table)
	}
}

func TestBadParamsNameTheField(t *testing.T) {
	h := ServerHandler(NewServerStub(&recorder{}))
	tests := []struct{ method, params, want string }{
		{MethodTaskPrompt, `{"taskId":7}`, "invalid params: taskId must be a string, not the number"},
		{MethodTaskPrompt, `{"prompt":"hello"}`, "invalid params: prompt must be an array, not a string"},
		{MethodTaskPrompt, `{"prompt":[{"text":[]}]}`, "invalid params: prompt.text must be a string, not an array"},
		{MethodTaskPrompt, `{"queue":"yes"}`, "invalid params: queue must be true or false, not a string"},
		{MethodTaskPrompt, `[1]`, "invalid params: params must be an object, not an array"},
		{MethodTaskPrompt, `"x"`, "invalid params: params must be an object, not a string"},
		{MethodInitialize, `{"processId":"x"}`, "invalid params: processId must be an integer, not a string"},
		{MethodInitialize, `{"capabilities":{"experimental":{"clined":{"protocol":{"min":"1"}}}}}`,
			"invalid params: capabilities.experimental.clined.protocol.min must be an integer, not a string"},
		{MethodTaskNew, `{"config":{"mode":true}}`, "invalid params: config must be a string, not true or false"},
		{MethodTaskPrompt, `{"taskId":"x","unknown":{"a":[1]}}`, ""},
		{MethodTaskPrompt, `null`, ""},
		{MethodShutdown, `[]`, ""},
		{MethodShutdown, `"x"`, ""},
	}
	for _, tt := range tests {
		_, err := h(t.Context(), &rpc.Request{Method: tt.method, Params: json.RawMessage(tt.params)})
		if tt.want == "" {
			if err != nil {
				t.Errorf("%s %s: %v", tt.method, tt.params, err)
			}
			continue
		}
		e, ok := err.(*rpc.Error)
		if !ok || e.Code != rpc.CodeInvalidParams || e.Message != tt.want {
			t.Errorf("%s %s:\ngot  %v\nwant %s", tt.method, tt.params, err, tt.want)
		}
	}
}

func TestRequestsAndNotificationsAreToldApart(t *testing.T) {
	h := ServerHandler(NewServerStub(&recorder{}))
	for _, r := range []*rpc.Request{{Method: MethodTaskNew, Notification: true}, {Method: MethodExit}} {
		if e, ok := func() (any, error) { return h(t.Context(), r) }(); ok == nil {
			t.Errorf("%+v: %v", r, e)
		}
	}
	if _, err := h(t.Context(), &rpc.Request{Method: "clined/nothing"}); err != rpc.ErrMethodNotFound {
		t.Errorf("err = %v", err)
	}
}

// Capabilities are open: odd values are no reason to refuse an editor.
func TestCapabilitiesAreReadLeniently(t *testing.T) {
	read := func(s string) ClientCapabilities {
		var c ClientCapabilities
		if err := json.Unmarshal([]byte(s), &c); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
		return c
	}
	for _, s := range []string{`{}`, `[]`, `null`, `{"experimental":true,"general":[],"workspace":{"applyEdit":"x"}}`,
		`{"experimental":{"clined":true}}`, `{"experimental":{"clined":null}}`, `{"experimental":{}}`} {
		if c := read(s); c.Experimental.Clined != nil || c.Workspace.ApplyEdit {
			t.Errorf("%s: %+v", s, c)
		}
	}
	c := read(`{"general":{"positionEncodings":["utf-8"]},"workspace":{"applyEdit":true},
		"experimental":{"clined":{"protocol":{"min":1,"max":2},"caps":{"approvals":{"feedback":[],"editedContent":false},"asks":[],"transcript":null,"x":1}}}}`)
	own := c.Experimental.Clined
	if own == nil || own.Protocol.Max != 2 || own.Caps.Approvals == nil || own.Caps.Approvals.Feedback == nil ||
		own.Caps.Approvals.EditedContent != nil || own.Caps.Asks == nil || own.Caps.Transcript != nil || own.Caps.EditorState != nil {
		t.Errorf("%+v", own)
	}
	if !c.Workspace.ApplyEdit || len(c.General.PositionEncodings) != 1 {
		t.Errorf("%+v", c)
	}
	if c := read(`{"experimental":{"clined":{"caps":[]}}}`); c.Experimental.Clined == nil {
		t.Error("caps as an empty table")
	}
}
