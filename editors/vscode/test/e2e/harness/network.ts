// Owns the proof that nothing leaves this machine: names but those of loopback do not resolve in the browser, what programs
// would send through a proxy ends here, and all of it is remembered.

import type { BrowserContext } from "playwright-core";
import { type AddressInfo, type Socket, createServer } from "node:net";

export interface Tripwire {
  /** For the environment of programs. */
  env: Record<string, string>;
  /** What was asked for beyond loopback. */
  strays: string[];
  watch(context: BrowserContext): void;
  end(): Promise<void>;
}

// Resources of the webview have such addresses, which a service worker of VS Code answers by itself.
const served = /^https:\/\/([^/]+\.)?vscode-resource\.vscode-cdn\.net\//;
const local = /^(https?|wss?):\/\/(127\.0\.0\.1|localhost)(:|\/)|^(data|blob|about|devtools|chrome|vscode-[a-z-]+):/;

export const browserArguments = ["--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost"];

export async function startTripwire(): Promise<Tripwire> {
  const strays: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    socket.once("data", (data) => {
      strays.push(`a program: ${data.toString("latin1").split("\r\n")[0]}`);
      socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const proxy = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    strays,
    env: {
      HTTP_PROXY: proxy,
      HTTPS_PROXY: proxy,
      http_proxy: proxy,
      https_proxy: proxy,
      NO_PROXY: "127.0.0.1,localhost",
      no_proxy: "127.0.0.1,localhost",
    },
    watch: (context) => {
      context.on("request", (request) => {
        const url = request.url();
        if (!local.test(url) && !served.test(url)) strays.push(`the browser: ${url}`);
      });
    },
    end: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
