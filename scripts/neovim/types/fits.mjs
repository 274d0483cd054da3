// Says whether a value of one type may stand where another is wanted. What is not known fits everywhere, and so does nil: whether
// something may be missing is for the tests.

import { any, union } from "./annotations.mjs";

const basic = new Set("nil boolean number integer string table function thread userdata lightuserdata self void".split(" "));

export class Types {
  constructor() {
    /** Classes and aliases by name. */
    this.known = new Map();
  }

  has(name) {
    return basic.has(name) || this.known.has(name);
  }

  /** A type with aliases in the place of their names. */
  plain(type, depth = 0) {
    if (type.k === "union") return union(type.list.map((t) => this.plain(t, depth)));
    const alias = type.k === "name" ? this.known.get(type.name) : undefined;
    return alias?.k === "alias" && depth < 20 ? this.plain(alias.type ?? any, depth + 1) : type;
  }

  parts(type) {
    const plain = this.plain(type);
    return (plain.k === "union" ? plain.list : [plain]).filter((t) => !(t.k === "name" && t.name === "nil"));
  }

  /** A field of a class and of its parents. */
  field(name, field) {
    const found = this.known.get(name);
    if (found?.k !== "class") return { type: any };
    if (found.fields.has(field)) return found.fields.get(field);
    for (const parent of found.parents) {
      const inherited = this.field(parent, field);
      if (inherited) return inherited;
    }
    return found.open ? { type: found.open } : undefined;
  }

  allFields(name) {
    const found = this.known.get(name);
    if (found?.k !== "class" || found.open) return undefined;
    const inherited = found.parents.map((parent) => this.allFields(parent));
    return inherited.includes(undefined) ? undefined : new Map([...inherited.flatMap((fields) => [...fields]), ...found.fields]);
  }

  isA(name, want) {
    const found = this.known.get(name);
    return name === want || (found?.k === "class" && found.parents.some((parent) => this.isA(parent, want)));
  }

  /** Why `got` does not fit `want`; undefined when it does. Of several that it may be one is enough: what was asked before is not
   * known here. */
  misfit(got, want) {
    const [gots, wants] = [this.parts(got), this.parts(want)];
    if (gots.length === 0) return undefined;
    if (wants.length === 0) return gots.some((t) => t.k === "any") ? undefined : `${show(got)} is not nil`;
    const reasons = gots.flatMap((one) => wants.map((other) => this.single(one, other)));
    if (reasons.includes(undefined)) return undefined;
    return reasons.length === 1 ? reasons[0] : `${show(got)} is not ${show(want)}`;
  }

  single(got, want) {
    if (got.k === "any" || want.k === "any") return undefined;
    const no = `${show(got)} is not ${show(want)}`;
    if (want.k === "name" && !basic.has(want.name)) {
      if (got.k === "name" && !basic.has(got.name)) return this.isA(got.name, want.name) || this.known.get(want.name)?.k !== "class" ? undefined : no;
      if (got.k === "made") return this.made(got, this.allFields(want.name), want);
      return got.k === "name" && got.name === "table" ? undefined : got.k === "table" ? undefined : no;
    }
    const group = kindOf(got);
    if (want.k === "literal") return got.k === "literal" ? (got.value === want.value && got.of === want.of ? undefined : no) : group === want.of ? undefined : no;
    if (want.k === "fun" || (want.k === "name" && want.name === "function")) return group === "function" ? undefined : no;
    if (want.k === "name") {
      if (want.name === "self" || want.name === "void") return undefined;
      if (want.name === "number") return ["number", "integer"].includes(group) ? undefined : no;
      if (want.name === "integer") return ["number", "integer"].includes(group) ? undefined : no;
      return group === want.name ? undefined : no;
    }
    if (group !== "table") return no;
    if (got.k === "made" && want.k === "table") return this.made(got, want.fields, want);
    if (got.k === "made" && want.k === "array") {
      for (const item of got.items) {
        const reason = this.misfit(item, want.of);
        if (reason) return reason;
      }
    }
    if (got.k === "array" && want.k === "array") return this.misfit(got.of, want.of);
    return undefined;
  }

  /** A table as it stands in the source against fields. */
  made(got, fields, want) {
    if (!fields || got.open) return undefined;
    for (const [name, type] of got.fields) {
      const field = fields.get(name);
      if (!field) return `${show(want)} has no field "${name}"`;
      const reason = this.misfit(type, field.type);
      if (reason) return `field "${name}": ${reason}`;
    }
    for (const [name, field] of fields) {
      if (!field.optional && !field.method && !got.fields.has(name)) return `${show(want)} wants a field "${name}"`;
    }
    return undefined;
  }
}

function kindOf(type) {
  if (type.k === "name") return basic.has(type.name) ? type.name : "table";
  if (type.k === "literal") return type.of;
  if (type.k === "fun") return "function";
  return "table";
}

export function show(type) {
  if (type.k === "name") return type.name;
  if (type.k === "literal") return type.of === "string" ? `"${type.value}"` : type.value;
  if (type.k === "union") return type.list.map(show).join("|");
  if (type.k === "array") return `${show(type.of)}[]`;
  if (type.k === "map") return "a table";
  if (type.k === "fun") return "a function";
  return type.k === "any" ? "any" : "a table";
}
