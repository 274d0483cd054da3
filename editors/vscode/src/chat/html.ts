// The document of the chat's webview: its own script and style, and a policy that lets nothing else run or load.

import { Uri, type Webview } from "vscode";

/** The folder of what the webview may load. */
export function webviewRoot(extensionUri: Uri): Uri {
  return Uri.joinPath(extensionUri, "dist", "webview");
}

export function policy(source: string): string {
  return [
    "default-src 'none'",
    `script-src ${source}`,
    `style-src ${source}`,
    `img-src ${source} data: blob:`,
    `font-src ${source}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

export function chatHtml(webview: Pick<Webview, "asWebviewUri" | "cspSource">, extensionUri: Uri): string {
  const at = (name: string) => webview.asWebviewUri(Uri.joinPath(webviewRoot(extensionUri), name)).toString();
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(webview.cspSource)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>clined</title>
<link rel="stylesheet" href="${at("style.css")}">
<script type="module" src="${at("webview.js")}"></script>
</head>
<body></body>
</html>`;
}
