// Reads LuaCATS annotations. Types are plain objects by `k`: any, name, literal, union, array, map, table, fun.
//
// Owns their syntax, as far as the plugin uses it; what fits what is in fits.mjs.

export const any = { k: "any" };
export const named = (name) => ({ k: "name", name });
export const union = (list) => {
  const flat = list.flatMap((type) => (type.k === "union" ? type.list : [type]));
  if (flat.some((type) => type.k === "any")) return any;
  return flat.length === 1 ? flat[0] : { k: "union", list: flat };
};

/** Reads the type that a text begins with: [type, rest]. */
export function readType(text) {
  const reader = { text, at: 0 };
  const type = readUnion(reader);
  return [type, reader.text.slice(reader.at).trim()];
}

function eat(reader, pattern) {
  const match = new RegExp(pattern, "y");
  match.lastIndex = reader.at;
  const found = match.exec(reader.text);
  if (found) reader.at = match.lastIndex;
  return found;
}

function must(reader, pattern) {
  const found = eat(reader, pattern);
  if (!found) throw new Error(`cannot read the type "${reader.text}" at "${reader.text.slice(reader.at)}"`);
  return found;
}

function readUnion(reader) {
  const list = [readPostfix(reader)];
  while (eat(reader, "\\s*\\|\\s*")) list.push(readPostfix(reader));
  return union(list);
}

function readPostfix(reader) {
  let type = readPrimary(reader);
  for (;;) {
    if (eat(reader, "\\[\\]")) type = { k: "array", of: type };
    else if (eat(reader, "\\?")) type = union([type, named("nil")]);
    else return type;
  }
}

function readPrimary(reader) {
  if (eat(reader, "\\(\\s*")) {
    const type = readUnion(reader);
    must(reader, "\\s*\\)");
    return type;
  }
  if (eat(reader, "fun\\s*\\(\\s*")) return readFunction(reader);
  if (eat(reader, "\\{\\s*")) return readTable(reader);
  const literal = eat(reader, `"([^"]*)"|'([^']*)'|(-?\\d+)|(true|false)\\b`);
  if (literal) {
    if (literal[3]) return { k: "literal", of: "integer", value: literal[3] };
    if (literal[4]) return { k: "literal", of: "boolean", value: literal[4] };
    return { k: "literal", of: "string", value: literal[1] ?? literal[2] };
  }
  const [name] = must(reader, "[\\w_][\\w_.*-]*|`\\w+`");
  if (eat(reader, "<\\s*")) {
    const args = [readUnion(reader)];
    while (eat(reader, "\\s*,\\s*")) args.push(readUnion(reader));
    must(reader, "\\s*>");
    return name === "table" ? { k: "map", key: args[0], value: args[1] ?? any } : named(name);
  }
  return name === "any" || name === "unknown" || name.startsWith("`") ? any : named(name);
}

function readFunction(reader) {
  const fun = { k: "fun", params: [], vararg: false, returns: [] };
  while (!eat(reader, "\\s*\\)")) {
    const [, name, optional] = must(reader, "(\\.\\.\\.|[\\w_]+)(\\??)\\s*");
    const type = eat(reader, ":\\s*") ? readUnion(reader) : any;
    if (name === "...") fun.vararg = true;
    else fun.params.push({ name, optional: optional === "?" || nullable(type), type });
    eat(reader, "\\s*,\\s*");
  }
  if (eat(reader, "\\s*:\\s*")) {
    do {
      eat(reader, "[\\w_]+\\??:\\s*"); // a name for what is returned
      fun.returns.push(readUnion(reader));
    } while (eat(reader, "\\s*,\\s*"));
  }
  return fun;
}

function readTable(reader) {
  const table = { k: "table", fields: new Map() };
  let map;
  while (!eat(reader, "\\s*\\}")) {
    if (eat(reader, "\\[\\s*")) {
      const key = readUnion(reader);
      must(reader, "\\s*\\]\\s*:\\s*");
      map = { k: "map", key, value: readUnion(reader) };
    } else {
      const [, name, optional] = must(reader, "([\\w_]+)(\\??)\\s*:\\s*");
      table.fields.set(name, { type: readUnion(reader), optional: optional === "?" });
    }
    eat(reader, "\\s*[,;]\\s*");
  }
  return map ?? table;
}

/** Whether a value may be left out. */
export function nullable(type) {
  return type.k === "any" || (type.k === "name" && type.name === "nil") || (type.k === "union" && type.list.some(nullable));
}

/** Reads a block of `---` lines: what it says of the statement behind it, and the classes and aliases in it. */
export function readBlock(lines, where, fail) {
  const block = { params: new Map(), returns: [], generics: new Set(), types: [] };
  let current;
  const said = (read) => {
    try {
      return read();
    } catch (error) {
      fail(where, error.message);
      return [any, ""];
    }
  };
  for (const line of lines) {
    const more = /^\|\s*(.*)$/.exec(line);
    if (more && current?.k === "alias") current.type = union([...(current.type ? [current.type] : []), said(() => readType(more[1]))[0]]);
    const [, tag, rest = ""] = /^@(\w+)\s*(.*)$/.exec(line) ?? [];
    if (tag === "meta") block.meta = true;
    if (tag === "class") {
      const [, name, parents] = /^(?:\(\w+\)\s*)?([\w.*-]+)(?:<[^>]*>)?(?:\s*:\s*([\w.]+(?:,\s*[\w.]+)*))?/.exec(rest) ?? [];
      if (!name) continue;
      current = { k: "class", name, parents: parents ? parents.split(/,\s*/).map((p) => p.trim()) : [], fields: new Map(), where };
      block.types.push(current);
      block.class = name;
    } else if (tag === "field" && current?.k === "class") {
      const [, name, optional, type] = /^(?:(?:private|protected|public|package)\s+)?(\[.*?\]|[\w_]+)(\??)\s+(.*)$/.exec(rest) ?? [];
      if (!name) continue;
      const read = said(() => readType(type))[0];
      if (name.startsWith("[")) current.open = read;
      else current.fields.set(name, { type: read, optional: optional === "?" || nullable(read) });
    } else if (tag === "alias" || tag === "enum") {
      const [, name, type] = /^(?:\(\w+\)\s*)?([\w.]+)\s*(.*)$/.exec(rest) ?? [];
      if (!name) continue;
      current = { k: "alias", name, type: type && tag === "alias" ? said(() => readType(type))[0] : tag === "enum" ? any : undefined, where };
      block.types.push(current);
    } else if (tag === "param") {
      const [, name, optional, type] = /^(\.\.\.|[\w_]+)(\??)\s+(.*)$/.exec(rest) ?? [];
      if (!name) fail(where, `cannot read "@param ${rest}"`);
      else {
        const read = said(() => readType(type))[0];
        block.params.set(name, { type: read, optional: optional === "?" || nullable(read) });
      }
    } else if (tag === "return") {
      const [type, behind] = said(() => readType(rest));
      block.returns.push(type);
      // Further ones stand behind a comma, each with a name or without.
      for (let left = behind; /^[\w_?]*\s*,/.test(left); ) {
        const [next, after] = said(() => readType(left.replace(/^[\w_?]*\s*,\s*/, "")));
        block.returns.push(next);
        left = after;
      }
    } else if (tag === "type") block.type = said(() => readType(rest))[0];
    else if (tag === "generic") for (const [name] of rest.matchAll(/\w+/g)) block.generics.add(name);
    else if (tag === "overload") block.overloaded = true;
  }
  return block;
}
