// Bundles the extension host's side and the webview into dist/, or with --tests the unit tests (--e2e, --webview: those of
// test/e2e, test/webview; --conformance: the driver in test/conformance with its peer). --dist DIR takes another folder, so that
// two builds do not get in each other's way.
import { build, context } from "esbuild";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

const flag = (name) => process.argv.includes(name);
const at = process.argv.indexOf("--dist");
const dist = at < 0 ? "dist" : process.argv[at + 1];
const shipped = !flag("--watch") && !flag("--tests");
const common = {
  bundle: true,
  minify: shipped,
  sourcemap: shipped ? false : "inline",
  metafile: shipped,
  legalComments: "none",
  logLevel: "warning",
  loader: { ".svg": "text" },
};

// Icons are drawn at 16 pixels: two decimals are plenty, and half of their size.
const icons = {
  name: "icons",
  setup(bundler) {
    bundler.onLoad({ filter: /codicons[\\/].*\.svg$/ }, async ({ path }) => ({
      contents: (await readFile(path, "utf8")).replace(/\d+\.\d{3,}/g, (n) => String(Number(Number(n).toFixed(2)))),
      loader: "text",
    }));
  },
};

// Features of the language client that src/daemon/client.ts leaves out, with all that they bring along: a class of the name is
// enough for each. The original of notebooks, of which only the scheme of their cells is used, would listen to VS Code's documents for
// ever, long after the end of its client. VS Code's version is the manifest's to check.
const features =
  "callHierarchy codeAction codeLens colorProvider completion configuration declaration definition diagnostic documentHighlight documentLink " +
  "documentSymbol executeCommand fileOperations fileSystemWatcher foldingRange formatting hover implementation inlayHint inlineCompletion " +
  "inlineValue linkedEditingRange notebook progress reference rename selectionRange semanticTokens signatureHelp textDocumentContent " +
  "typeDefinition typeHierarchy workspaceSymbol";
const unneeded = {
  name: "unneeded",
  setup(bundler) {
    bundler.onLoad({ filter: /node_modules[\\/]semver[\\/]functions[\\/](parse|satisfies)\.js$/ }, () => ({ contents: "module.exports = () => true;" }));
    const filter = new RegExp(`vscode-languageclient[\\\\/]lib[\\\\/]common[\\\\/](${features.replaceAll(" ", "|")})\\.js$`);
    bundler.onLoad({ filter }, async ({ path }) => {
      const names = new Set((await readFile(path, "utf8")).match(/(?<=^exports\.)\w+Feature\b/gm));
      return { contents: [...names].map((name) => `exports.${name} = class { static CellScheme = "vscode-notebook-cell"; };`).join("\n") };
    });
  },
};

// The host loads its parts when they are needed: what activation touches is in extension.js, the rest in chunks.
const host = {
  ...common,
  entryPoints: { extension: "src/extension.ts", client: "src/daemon/client.ts" },
  outdir: dist,
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode", "./client.js"],
  mainFields: ["module", "main"],
  plugins: [unneeded],
};

const webview = {
  ...common,
  entryPoints: { webview: "webview/main.tsx", style: "webview/style.css" },
  outdir: join(dist, "webview"),
  platform: "browser",
  target: "chrome120",
  format: "esm",
  splitting: true,
  chunkNames: "[name]-[hash]",
  jsx: "automatic",
  jsxImportSource: "preact",
  define: { "process.env.NODE_ENV": '"production"' },
  plugins: [icons],
};

const tests = (kind) => ({
  ...common,
  entryPoints: readdirSync(join("test", kind), { recursive: true })
    .filter((f) => /\.test\.tsx?$|^(preview|bench|run|driver)\.ts$/.test(f))
    .map((f) => join("test", kind, f)),
  outdir: join(dist, "test", kind),
  outExtension: { ".js": ".mjs" },
  platform: "node",
  target: "node20",
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
  external: ["vscode", "playwright-core"],
  alias: kind === "unit" ? { vscode: "./test/unit/vscode.ts" } : {},
  plugins: [unneeded],
  banner: { js: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);' },
});

// An extension of its own for the windows of the conformance program.
const peer = {
  ...common,
  entryPoints: ["test/conformance/peer/extension.ts", "test/conformance/peer/package.json"],
  outdir: join(dist, "test", "conformance", "peer"),
  loader: { ".json": "copy" },
  platform: "node",
  target: "node20",
  format: "cjs",
  external: ["vscode"],
};

if (flag("--watch")) {
  for (const options of [host, webview]) await (await context(options)).watch();
} else if (flag("--tests")) {
  const kind = ["e2e", "webview", "conformance"].find((kind) => flag(`--${kind}`)) ?? "unit";
  rmSync(join(dist, "test", kind), { recursive: true, force: true });
  await build(tests(kind));
  if (kind === "conformance") await build(peer);
} else {
  rmSync(dist, { recursive: true, force: true });
  const built = await Promise.all([build(host), build(webview)]);
  // For the notices: all files that went into the bundles.
  writeFileSync(join(dist, "inputs.json"), JSON.stringify(built.flatMap(({ metafile }) => Object.keys(metafile.inputs))));
}
