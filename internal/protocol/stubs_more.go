package protocol

import "context"

// The rest of the stubs: tasks that exist, keys, diff views and LSP's windows.

func (s serverStub) TaskList(ctx context.Context, p *TaskListParams) (*TaskListResult, error) {
	return call[TaskListResult](ctx, s.c, MethodTaskList, p)
}

func (s serverStub) TaskAttach(ctx context.Context, p *TaskAttachParams) (*TaskAttachResult, error) {
	return call[TaskAttachResult](ctx, s.c, MethodTaskAttach, p)
}

func (s serverStub) TaskDetach(ctx context.Context, p *TaskDetachParams) (*Empty, error) {
	return call[Empty](ctx, s.c, MethodTaskDetach, p)
}

func (s serverStub) TaskRead(ctx context.Context, p *TaskReadParams) (*TaskReadResult, error) {
	return call[TaskReadResult](ctx, s.c, MethodTaskRead, p)
}

func (s serverStub) TaskDelete(ctx context.Context, p *TaskDeleteParams) (*Empty, error) {
	return call[Empty](ctx, s.c, MethodTaskDelete, p)
}

func (s serverStub) TaskRename(ctx context.Context, p *TaskRenameParams) (*Empty, error) {
	return call[Empty](ctx, s.c, MethodTaskRename, p)
}

func (s serverStub) TaskFavorite(ctx context.Context, p *TaskFavoriteParams) (*Empty, error) {
	return call[Empty](ctx, s.c, MethodTaskFavorite, p)
}

func (s serverStub) TaskExport(ctx context.Context, p *TaskExportParams) (*TaskExportResult, error) {
	return call[TaskExportResult](ctx, s.c, MethodTaskExport, p)
}

func (s serverStub) TaskResume(ctx context.Context, p *TaskResumeParams) (*TaskPromptResult, error) {
	return call[TaskPromptResult](ctx, s.c, MethodTaskResume, p)
}

func (s serverStub) TaskSteer(ctx context.Context, p *TaskSteerParams) (*TaskPromptResult, error) {
	return call[TaskPromptResult](ctx, s.c, MethodTaskSteer, p)
}

func (s serverStub) TaskEditMessage(ctx context.Context, p *TaskEditMessageParams) (*TaskPromptResult, error) {
	return call[TaskPromptResult](ctx, s.c, MethodTaskEditMessage, p)
}

func (s serverStub) TaskSetChecklist(ctx context.Context, p *TaskSetChecklistParams) (*Empty, error) {
	return call[Empty](ctx, s.c, MethodTaskSetChecklist, p)
}

func (s serverStub) ApprovalList(ctx context.Context, p *ApprovalListParams) (*ApprovalListResult, error) {
	return call[ApprovalListResult](ctx, s.c, MethodApprovalList, p)
}

func (s serverStub) AccountLogin(ctx context.Context, p *AccountLoginParams) (*AccountStatusResult, error) {
	return call[AccountStatusResult](ctx, s.c, MethodAccountLogin, p)
}

func (s serverStub) AccountLogout(ctx context.Context, p *AccountLogoutParams) (*AccountStatusResult, error) {
	return call[AccountStatusResult](ctx, s.c, MethodAccountLogout, p)
}

func (s serverStub) AccountStatus(ctx context.Context, p *Empty) (*AccountStatusResult, error) {
	return call[AccountStatusResult](ctx, s.c, MethodAccountStatus, p)
}

func (s serverStub) EditorDidChangeDiagnostics(_ context.Context, p *FileDiagnostics) error {
	return notify(s.c, MethodEditorDidChangeDiagnostics, p)
}

func (s serverStub) DiffDidChange(_ context.Context, p *DiffDidChangeParams) error {
	return notify(s.c, MethodDiffDidChange, p)
}

func (s serverStub) DiffDidClose(_ context.Context, p *DiffDidCloseParams) error {
	return notify(s.c, MethodDiffDidClose, p)
}

func (s serverStub) TerminalList(ctx context.Context, p *TerminalListParams) (*TerminalListResult, error) {
	return call[TerminalListResult](ctx, s.c, MethodTerminalList, p)
}

func (s serverStub) TerminalInput(ctx context.Context, p *TerminalInputParams) (*Empty, error) {
	return call[Empty](ctx, s.c, MethodTerminalInput, p)
}

func (s serverStub) TerminalResize(ctx context.Context, p *TerminalResizeParams) (*Empty, error) {
	return call[Empty](ctx, s.c, MethodTerminalResize, p)
}

func (s serverStub) TerminalKill(ctx context.Context, p *TerminalParams) (*Empty, error) {
	return call[Empty](ctx, s.c, MethodTerminalKill, p)
}

func (s serverStub) TerminalDetach(ctx context.Context, p *TerminalParams) (*Empty, error) {
	return call[Empty](ctx, s.c, MethodTerminalDetach, p)
}

func (s serverStub) RuleList(ctx context.Context, p *RuleListParams) (*RuleListResult, error) {
	return call[RuleListResult](ctx, s.c, MethodRuleList, p)
}

func (s serverStub) RuleRemove(ctx context.Context, p *RuleRemoveParams) (*Empty, error) {
	return call[Empty](ctx, s.c, MethodRuleRemove, p)
}

func (s serverStub) ExecuteCommand(ctx context.Context, p *ExecuteCommandParams) (*Raw, error) {
	return call[Raw](ctx, s.c, MethodExecuteCommand, p)
}

func (s serverStub) WorkDoneProgressCancel(_ context.Context, p *ProgressCancelParams) error {
	return notify(s.c, MethodWorkDoneProgressCancel, p)
}

func (s clientStub) DiffOpen(ctx context.Context, p *DiffOpenParams) (*DiffOpenResult, error) {
	return call[DiffOpenResult](ctx, s.c, MethodDiffOpen, p)
}

func (s clientStub) DiffFinalize(ctx context.Context, p *DiffFinalizeParams) (*DiffFinalizeResult, error) {
	return call[DiffFinalizeResult](ctx, s.c, MethodDiffFinalize, p)
}

func (s clientStub) DiffSave(ctx context.Context, p *DiffSaveParams) (*DiffSaveResult, error) {
	return call[DiffSaveResult](ctx, s.c, MethodDiffSave, p)
}

func (s clientStub) DiffClose(ctx context.Context, p *DiffCloseParams) (*Empty, error) {
	return call[Empty](ctx, s.c, MethodDiffClose, p)
}

func (s clientStub) DiffReveal(ctx context.Context, p *DiffRevealParams) (*Empty, error) {
	return call[Empty](ctx, s.c, MethodDiffReveal, p)
}

func (s clientStub) DiffUpdate(_ context.Context, p *DiffUpdateParams) error {
	return s.c.Send(updateNotification(p))
}

func (s clientStub) DiagnosticsPull(ctx context.Context, p *DiagnosticsPullParams) (*DiagnosticsPullResult, error) {
	return call[DiagnosticsPullResult](ctx, s.c, MethodDiagnosticsPull, p)
}

func (s clientStub) ShowMessageRequest(ctx context.Context, p *ShowMessageRequestParams) (*MessageAction, error) {
	return call[MessageAction](ctx, s.c, MethodShowMessageRequest, p)
}

func (s clientStub) ShowDocument(ctx context.Context, p *ShowDocumentParams) (*ShowDocumentResult, error) {
	return call[ShowDocumentResult](ctx, s.c, MethodShowDocument, p)
}

func (s clientStub) WorkDoneProgressCreate(ctx context.Context, p *ProgressCreateParams) (*Null, error) {
	return call[Null](ctx, s.c, MethodWorkDoneProgressCreate, p)
}

func (s clientStub) Progress(_ context.Context, p *ProgressParams) error {
	return notify(s.c, MethodProgress, p)
}
