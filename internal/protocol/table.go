package protocol

import (
	"context"
	"encoding/json"
	"reflect"

	"clined/internal/rpc"
)

// Method describes one method of the wire.
type Method struct {
	Name string
	// Notification is true when no answer is sent; Result is nil then.
	Notification   bool
	Params, Result reflect.Type
}

// method is a Method with the way to call it on one side's interface.
type method[S any] struct {
	Method
	call func(ctx context.Context, side S, params json.RawMessage) (any, error)
}

func request[S, P, R any](name string, f func(S, context.Context, *P) (*R, error)) method[S] {
	return method[S]{
		Method: Method{Name: name, Params: reflect.TypeFor[P](), Result: reflect.TypeFor[R]()},
		call: func(ctx context.Context, side S, raw json.RawMessage) (any, error) {
			p, err := decodeParams[P](raw)
			if err != nil {
				return nil, err
			}
			return f(side, ctx, p)
		},
	}
}

func notification[S, P any](name string, f func(S, context.Context, *P) error) method[S] {
	return method[S]{
		Method: Method{Name: name, Notification: true, Params: reflect.TypeFor[P]()},
		call: func(ctx context.Context, side S, raw json.RawMessage) (any, error) {
			p, err := decodeParams[P](raw)
			if err != nil {
				return nil, err
			}
			return nil, f(side, ctx, p)
		},
	}
}

// serverMethods and clientMethods are the wire: what is not here does not exist.
var (
	serverMethods = []method[Server]{
		request(MethodInitialize, Server.Initialize),
		notification(MethodInitialized, Server.Initialized),
		request(MethodShutdown, Server.Shutdown),
		notification(MethodExit, Server.Exit),
		notification(MethodSetTrace, Server.SetTrace),
		notification(MethodDidOpen, Server.DidOpen),
		notification(MethodDidChange, Server.DidChange),
		notification(MethodDidClose, Server.DidClose),
		notification(MethodDidSave, Server.DidSave),
		notification(MethodDidChangeWorkspaceFolders, Server.DidChangeWorkspaceFolders),
		notification(MethodDidChangeConfiguration, Server.DidChangeConfiguration),
		notification(MethodEditorDidChangeState, Server.EditorDidChangeState),
		notification(MethodEditorDidChangeDiagnostics, Server.EditorDidChangeDiagnostics),
		request(MethodTaskNew, Server.TaskNew),
		request(MethodTaskPrompt, Server.TaskPrompt),
		request(MethodTaskCancel, Server.TaskCancel),
		request(MethodConfigGet, Server.ConfigGet),
		request(MethodConfigSet, Server.ConfigSet),
		request(MethodApprovalRespond, Server.ApprovalRespond),
		request(MethodAskRespond, Server.AskRespond),
		request(MethodTaskList, Server.TaskList),
		request(MethodTaskAttach, Server.TaskAttach),
		request(MethodTaskDetach, Server.TaskDetach),
		request(MethodTaskRead, Server.TaskRead),
		request(MethodTaskDelete, Server.TaskDelete),
		request(MethodTaskRename, Server.TaskRename),
		request(MethodTaskFavorite, Server.TaskFavorite),
		request(MethodTaskExport, Server.TaskExport),
		request(MethodTaskResume, Server.TaskResume),
		request(MethodTaskSteer, Server.TaskSteer),
		request(MethodTaskEditMessage, Server.TaskEditMessage),
		request(MethodTaskSetChecklist, Server.TaskSetChecklist),
		request(MethodApprovalList, Server.ApprovalList),
		request(MethodAccountLogin, Server.AccountLogin),
		request(MethodAccountLogout, Server.AccountLogout),
		request(MethodAccountStatus, Server.AccountStatus),
		request(MethodSetupStatus, Server.SetupStatus),
		request(MethodSetupDiscover, Server.SetupDiscover),
		request(MethodSetupDemo, Server.SetupDemo),
		request(MethodModelList, Server.ModelList),
		notification(MethodDiffDidChange, Server.DiffDidChange),
		notification(MethodDiffDidClose, Server.DiffDidClose),
		request(MethodTerminalList, Server.TerminalList),
		request(MethodTerminalInput, Server.TerminalInput),
		request(MethodTerminalResize, Server.TerminalResize),
		request(MethodTerminalKill, Server.TerminalKill),
		request(MethodTerminalDetach, Server.TerminalDetach),
		request(MethodRuleList, Server.RuleList),
		request(MethodRuleRemove, Server.RuleRemove),
		request(MethodExecuteCommand, Server.ExecuteCommand),
		notification(MethodWorkDoneProgressCancel, Server.WorkDoneProgressCancel),
	}
	clientMethods = []method[Client]{
		notification(MethodTaskEvent, Client.TaskEvent),
		request(MethodApprovalRequest, Client.ApprovalRequest),
		notification(MethodApprovalResolved, Client.ApprovalResolved),
		request(MethodAsk, Client.Ask),
		request(MethodApplyEdit, Client.ApplyEdit),
		notification(MethodLogMessage, Client.LogMessage),
		notification(MethodShowMessage, Client.ShowMessage),
		request(MethodDiffOpen, Client.DiffOpen),
		notification(MethodDiffUpdate, Client.DiffUpdate),
		request(MethodDiffFinalize, Client.DiffFinalize),
		request(MethodDiffSave, Client.DiffSave),
		request(MethodDiffClose, Client.DiffClose),
		request(MethodDiffReveal, Client.DiffReveal),
		request(MethodDiagnosticsPull, Client.DiagnosticsPull),
		request(MethodShowMessageRequest, Client.ShowMessageRequest),
		request(MethodShowDocument, Client.ShowDocument),
		request(MethodWorkDoneProgressCreate, Client.WorkDoneProgressCreate),
		notification(MethodProgress, Client.Progress),
	}
)

// ServerMethods lists what an editor may send, in the order of the interface;
// ClientMethods what the daemon may send.
func ServerMethods() []Method { return describe(serverMethods) }

// ClientMethods: see ServerMethods.
func ClientMethods() []Method { return describe(clientMethods) }

func describe[S any](table []method[S]) []Method {
	list := make([]Method, len(table))
	for i, m := range table {
		list[i] = m.Method
	}
	return list
}

// ServerHandler dispatches what an editor sends. Params that do not fit are
// answered with -32602 and the field's name; unknown fields are ignored.
func ServerHandler(s Server) rpc.Handler { return handler(serverMethods, s) }

// ClientHandler dispatches what a daemon sends.
func ClientHandler(c Client) rpc.Handler { return handler(clientMethods, c) }

func handler[S any](table []method[S], side S) rpc.Handler {
	byName := make(map[string]method[S], len(table))
	for _, m := range table {
		byName[m.Name] = m
	}
	return func(ctx context.Context, r *rpc.Request) (any, error) {
		m, ok := byName[r.Method]
		switch {
		case !ok:
			return nil, rpc.ErrMethodNotFound
		case m.Notification && !r.Notification:
			return nil, rpc.Errorf(rpc.CodeInvalidRequest, "invalid request: %s is a notification and has no id", r.Method)
		case !m.Notification && r.Notification:
			return nil, rpc.Errorf(rpc.CodeInvalidRequest, "invalid request: %s is a request and needs an id", r.Method)
		}
		return m.call(ctx, side, r.Params)
	}
}
