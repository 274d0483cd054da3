package protocol

import (
	"encoding/json"

	lsp "go.lsp.dev/protocol"
)

// The LSP types that the library has right.
type (
	Position          = lsp.Position
	Range             = lsp.Range
	TextEdit          = lsp.TextEdit
	Diagnostic        = lsp.Diagnostic
	ShowMessageParams = lsp.ShowMessageParams
	MessageType       = lsp.MessageType
)

// Types of window/showMessage and window/logMessage.
const (
	MessageError   = lsp.MessageTypeError
	MessageWarning = lsp.MessageTypeWarning
	MessageInfo    = lsp.MessageTypeInfo
)

// Severities of a Diagnostic.
const (
	SeverityError       = lsp.DiagnosticSeverityError
	SeverityWarning     = lsp.DiagnosticSeverityWarning
	SeverityInformation = lsp.DiagnosticSeverityInformation
	SeverityHint        = lsp.DiagnosticSeverityHint
)

// InitializeParams of LSP 3.17, as far as clined reads them. The library's own
// type loses positionEncodings and a null processId.
type InitializeParams struct {
	ProcessID             *int               `json:"processId"`
	ClientInfo            *ClientInfo        `json:"clientInfo,omitempty"`
	RootURI               *string            `json:"rootUri,omitempty"`
	RootPath              *string            `json:"rootPath,omitempty"`
	WorkspaceFolders      []WorkspaceFolder  `json:"workspaceFolders,omitempty"`
	Capabilities          ClientCapabilities `json:"capabilities"`
	InitializationOptions json.RawMessage    `json:"initializationOptions,omitempty"`
	// ProtocolVersion as an integer is ACP's handshake, which is refused clearly.
	ProtocolVersion json.RawMessage `json:"protocolVersion,omitempty"`
}

// ClientInfo names the editor.
type ClientInfo struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// WorkspaceFolder of LSP.
type WorkspaceFolder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

// ClientCapabilities are those that clined looks at.
type ClientCapabilities struct {
	General struct {
		PositionEncodings []string `json:"positionEncodings,omitempty"`
	} `json:"general,omitzero"`
	Workspace struct {
		ApplyEdit        bool `json:"applyEdit,omitempty"`
		WorkspaceFolders bool `json:"workspaceFolders,omitempty"`
		WorkspaceEdit    struct {
			// ResourceOperations are the kinds of changes to files that
			// workspace/applyEdit may hold: see ResourceRename and its kin.
			ResourceOperations []string `json:"resourceOperations,omitempty"`
		} `json:"workspaceEdit,omitzero"`
	} `json:"workspace,omitzero"`
	Window       WindowCaps `json:"window,omitzero"`
	Experimental struct {
		Clined *ClinedClient `json:"clined,omitempty"`
	} `json:"experimental,omitzero"`
}

// WindowCaps are a client's capabilities of LSP's windows.
type WindowCaps struct {
	WorkDoneProgress bool `json:"workDoneProgress,omitempty"`
	// ShowMessage is an object where window/showMessageRequest is answered.
	ShowMessage  *Empty `json:"showMessage,omitempty"`
	ShowDocument *struct {
		Support bool `json:"support"`
	} `json:"showDocument,omitempty"`
}

// InitializeResult of LSP 3.17.
type InitializeResult struct {
	Capabilities ServerCapabilities `json:"capabilities"`
	ServerInfo   ServerInfo         `json:"serverInfo"`
}

// ServerInfo names the build.
type ServerInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// ServerCapabilities that exist in this build; nothing else is announced.
type ServerCapabilities struct {
	PositionEncoding       string                 `json:"positionEncoding"`
	TextDocumentSync       SyncOptions            `json:"textDocumentSync"`
	Workspace              WorkspaceCaps          `json:"workspace"`
	ExecuteCommandProvider *ExecuteCommandOptions `json:"executeCommandProvider,omitempty"`
	Experimental           *ServerExtended        `json:"experimental,omitempty"`
}

// SyncOptions is textDocumentSync: open and close, incremental changes (2), saves.
type SyncOptions struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"`
	Save      bool `json:"save"`
}

// WorkspaceCaps announces folder changes.
type WorkspaceCaps struct {
	WorkspaceFolders struct {
		Supported           bool `json:"supported"`
		ChangeNotifications bool `json:"changeNotifications"`
	} `json:"workspaceFolders"`
}

// ServerExtended holds what is ours.
type ServerExtended struct {
	Clined *ClinedServer `json:"clined,omitempty"`
}

// SetTraceParams of LSP.
type SetTraceParams struct {
	Value string `json:"value"`
}

// DidOpenParams and its kin: LSP 3.17, text document synchronization.
type (
	DidOpenParams struct {
		TextDocument TextDocumentItem `json:"textDocument"`
	}
	TextDocumentItem struct {
		URI        string `json:"uri"`
		LanguageID string `json:"languageId"`
		Version    int32  `json:"version"`
		Text       string `json:"text"`
	}
	VersionedDocument struct {
		URI     string `json:"uri"`
		Version int32  `json:"version"`
	}
	DocumentID struct {
		URI string `json:"uri"`
	}
	DidChangeParams struct {
		TextDocument   VersionedDocument `json:"textDocument"`
		ContentChanges []ContentChange   `json:"contentChanges"`
	}
	// ContentChange without Range replaces the whole text. (The library's own
	// type cannot tell that from an edit at 0:0.)
	ContentChange struct {
		Range *Range `json:"range,omitempty"`
		Text  string `json:"text"`
	}
	DidCloseParams struct {
		TextDocument DocumentID `json:"textDocument"`
	}
	DidSaveParams struct {
		TextDocument DocumentID `json:"textDocument"`
	}
	DidChangeWorkspaceFoldersParams struct {
		Event struct {
			Added   []WorkspaceFolder `json:"added"`
			Removed []WorkspaceFolder `json:"removed"`
		} `json:"event"`
	}
	DidChangeConfigurationParams struct {
		Settings json.RawMessage `json:"settings"`
	}
)

// Kinds of changes to files in a WorkspaceEdit.
const (
	ResourceRename = "rename"
	ResourceDelete = "delete"
)

// ApplyEditParams is workspace/applyEdit with versioned text edits and changes to
// files.
type (
	ApplyEditParams struct {
		Label string        `json:"label,omitempty"`
		Edit  WorkspaceEdit `json:"edit"`
	}
	WorkspaceEdit struct {
		DocumentChanges []DocumentEdit `json:"documentChanges"`
	}
	// DocumentEdit is LSP's TextDocumentEdit or, with a Kind, its RenameFile or
	// DeleteFile.
	DocumentEdit struct {
		TextDocument VersionedDocument `json:"textDocument,omitzero"`
		Edits        []TextEdit        `json:"edits,omitempty"`
		Kind         string            `json:"kind,omitempty"`
		OldURI       string            `json:"oldUri,omitempty"`
		NewURI       string            `json:"newUri,omitempty"`
		URI          string            `json:"uri,omitempty"`
		Options      *ResourceOptions  `json:"options,omitempty"`
	}
	// ResourceOptions are those of a DeleteFile.
	ResourceOptions struct {
		IgnoreIfNotExists bool `json:"ignoreIfNotExists,omitempty"`
	}
	ApplyEditResult struct {
		Applied       bool   `json:"applied"`
		FailureReason string `json:"failureReason,omitempty"`
	}
)
