// Looks into a packed extension: nothing but what it runs with, all of that, and the
// bundle without the daemon within its limit. Prints what is wrong, or with --sizes how
// many bytes its parts have, as JSON.
import { statSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL("package.json"));
const yauzl = require("yauzl");

const bundleLimit = 1_000_000;
const isBundle = (name) => /^extension\/dist\/.*\.(js|css)$/.test(name);
const allowed = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/(package\.json|readme\.md|changelog\.md|LICENSE\.txt)$/,
  /^extension\/(media|walkthrough)\/[^/]+\.(svg|png|md)$/,
  /^extension\/dist\/[^/]+\.js$/,
  /^extension\/dist\/webview\/[^/]+\.(js|css)$/,
  /^extension\/dist\/ThirdPartyNotices\.txt$/,
  /^extension\/bin\/clined$/,
];
const needed = [
  "extension/package.json",
  "extension/readme.md",
  "extension/LICENSE.txt",
  "extension/dist/extension.js",
  "extension/dist/webview/webview.js",
  "extension/dist/webview/style.css",
  "extension/dist/ThirdPartyNotices.txt",
  "extension/bin/clined",
];

// read gives the entries of a zip file, with the text of bundles and notices.
function read(file) {
  return new Promise((resolve, reject) => {
    const entries = [];
    yauzl.open(file, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      zip.on("error", reject);
      zip.on("end", () => resolve(entries));
      zip.on("entry", (entry) => {
        const { fileName: name, uncompressedSize: size } = entry;
        const mode = entry.externalFileAttributes >>> 16;
        if (!isBundle(name) && !name.endsWith(".txt")) {
          entries.push({ name, size, mode, text: "" });
          return zip.readEntry();
        }
        zip.openReadStream(entry, async (failed, stream) => {
          if (failed) return reject(failed);
          entries.push({ name, size, mode, text: Buffer.concat(await stream.toArray()).toString("utf8") });
          zip.readEntry();
        });
      });
      zip.readEntry();
    });
  });
}

async function check(file) {
  const entries = await read(file);
  const names = entries.map((entry) => entry.name);
  const problems = [];
  for (const name of names.filter((name) => !allowed.some((pattern) => pattern.test(name)))) {
    problems.push(`"${name}" does not belong into it`);
  }
  for (const name of needed.filter((name) => !names.includes(name))) problems.push(`"${name}" is missing`);
  for (const { name, text } of entries) {
    if (/^\/[/*][#@] ?sourceMappingURL=/m.test(text)) problems.push(`"${name}" has a source map`);
  }
  const daemon = entries.find((entry) => entry.name === "extension/bin/clined");
  if (daemon && (daemon.mode & 0o111) === 0) problems.push("the daemon is not executable");
  const notices = entries.find((entry) => entry.name === "extension/dist/ThirdPartyNotices.txt");
  for (const work of ["@vscode/codicons", "vscode-languageclient", "preact", "github.com/sourcegraph/jsonrpc2", "GNU C Library"]) {
    if (notices && !notices.text.includes(work)) problems.push(`the notices do not name ${work}`);
  }
  const bundle = entries.filter((entry) => isBundle(entry.name)).reduce((sum, entry) => sum + entry.size, 0);
  if (bundle >= bundleLimit) problems.push(`the bundle has ${bundle} bytes, ${bundleLimit} are the limit`);
  return { problems, bundle, entries };
}

const [first, second] = process.argv.slice(2);
if (first === "--sizes") {
  const { bundle, entries } = await check(second);
  const size = (name) => entries.find((entry) => entry.name === name)?.size;
  const sizes = { bundle, activation: size("extension/dist/extension.js"), daemon: size("extension/bin/clined") };
  console.log(JSON.stringify({ ...sizes, package: statSync(second).size }));
} else {
  const { problems } = await check(first);
  for (const problem of problems) console.error(`vsix: ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
