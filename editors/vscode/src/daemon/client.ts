// The language client, in a bundle of its own: loading it costs more than everything else at activation.

export { LanguageClient } from "vscode-languageclient/node";
