// The environment that the daemon, and with it every command that it runs, is started in.

// VS Code's own, as it removes them from its terminals: a program that is started with them may not start, or act as part of it.
const internal = [
  /^ELECTRON_/,
  /^VSCODE_(?!PORTABLE$|SHELL_LOGIN$|ENV_REPLACE$|ENV_APPEND$|ENV_PREPEND$)/,
  /^SNAP(_|$)/,
  /^GDK_PIXBUF_/,
];

export function daemonEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !internal.some((pattern) => pattern.test(name))));
}
