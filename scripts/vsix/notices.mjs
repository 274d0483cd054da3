// Prints the licences of all that the extension brings along: the npm packages that
// it is bundled from, the Go modules and the C libraries that are linked into the
// daemon. Fails for a package without a licence file. Run in editors/vscode; the argument is the go program.
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const isLicence = (name) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(name);

// npmPackages are those of which a file went into the bundles.
function npmPackages() {
  const inputs = JSON.parse(readFileSync(join("dist", "inputs.json"), "utf8"));
  const dirs = inputs.flatMap((file) => file.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? []);
  return [...new Set(dirs)].sort().map((dir) => {
    const { name, version, license } = JSON.parse(readFileSync(join(dir, "package.json"), "utf8"));
    return { name: `${name} ${version}`, dir, licence: license };
  });
}

function goModules(go) {
  const format = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}";
  const args = ["list", "-deps", "-tags", "netgo,osusergo", "-f", format, "./cmd/clined"];
  const lines = execFileSync(go, args, { cwd: join("..", ".."), encoding: "utf8", maxBuffer: 1 << 26 }).split("\n");
  const ours = resolve("..", "..");
  const modules = [...new Set(lines)].filter(Boolean).map((line) => line.split("\t")).filter(([, dir]) => !dir.startsWith(ours));
  const goroot = execFileSync(go, ["env", "GOROOT"], { encoding: "utf8" }).trim();
  const version = execFileSync(go, ["env", "GOVERSION"], { encoding: "utf8" }).trim();
  return [{ name: `The Go standard library ${version}`, dir: goroot }, ...modules.map(([name, dir]) => ({ name, dir }))];
}

const cLibrary = `The daemon is linked statically with parts of the GNU C Library (LGPL-2.1-or-later, https://www.gnu.org/licenses/lgpl-2.1.html)
and of GCC's runtime library (GPL-3.0-or-later with the GCC Runtime Library Exception 3.1). Its source, with the command that
links it, "make vsix", is that of clined: so it can be linked with another version of them.`;

const all = [...npmPackages(), ...goModules(process.argv[2] ?? "go")];
const texts = new Map();
for (const { name, dir, licence } of all) {
  const files = readdirSync(dir).filter(isLicence).sort();
  if (files.length === 0 && licence !== "MIT") {
    console.error(`notices: "${name}" has no licence file; hint: look in ${dir}`);
    process.exitCode = 1;
  }
  const text = files.map((file) => readFileSync(join(dir, file), "utf8").trim()).join("\n\n") || `Licence: ${licence}`;
  texts.set(text, [...(texts.get(text) ?? []), name]);
}

console.log("The extension contains these works of others, under the licences below each.\n");
console.log(`${"-".repeat(80)}\n${cLibrary}\n`);
for (const [text, names] of texts) {
  console.log(`${"-".repeat(80)}\n${names.sort().join("\n")}\n\n${text}\n`);
}
