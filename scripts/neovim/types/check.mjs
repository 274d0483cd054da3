// Walks one file: knows what each local is, and asks of each call, field and assignment whether it fits.

import { any, named, nullable, readType, union } from "./annotations.mjs";

const globals = new Set(
  `_G arg assert bit collectgarbage coroutine debug dofile error getmetatable io ipairs jit load loadfile loadstring math next os
  package pairs pcall print rawequal rawget rawset require select setmetatable string table tonumber tostring type unpack vim xpcall`.split(/\s+/),
);
const results = { tostring: "string", type: "string", assert: null };

export class Check {
  constructor(file) {
    Object.assign(this, file);
    /** What `require` of this file is. */
    this.module = { k: "module", members: new Map(), open: false };
    this.scopes = [new Map()];
    this.assigned = new Set();
    this.returns = [];
  }

  // What other files see: the members of the table that the file returns.
  declare() {
    const last = this.tree.body.at(-1);
    const returned = last?.type === "ReturnStatement" ? last.arguments[0] : undefined;
    if (returned?.type !== "Identifier") this.module.open = true;
    this.top = returned?.name;
    this.classes = new Map();
    for (const statement of this.tree.body) {
      const block = this.blocks.get(statement.loc.start.line);
      if (statement.type === "LocalStatement" && block?.class) this.classes.set(statement.variables[0].name, block.class);
    }
    this.eachStatement(this.tree.body, (statement) => {
      const block = this.blocks.get(statement.loc.start.line);
      const target = statement.type === "FunctionDeclaration" ? statement.identifier : statement.type === "AssignmentStatement" ? statement.variables[0] : undefined;
      if (target?.type === "Identifier" && statement.type === "AssignmentStatement") for (const v of statement.variables) this.assigned.add(v.name);
      if (target?.type !== "MemberExpression" || target.base.type !== "Identifier") return;
      const [base, field] = [target.base.name, target.identifier.name];
      const method = target.indexer === ":";
      const type = statement.type === "FunctionDeclaration" ? this.signature(statement, block, method) : (block?.type ?? any);
      const known = this.types.known.get(this.classes.get(base));
      if (known?.k === "class" && !known.fields.has(field)) known.fields.set(field, { type, optional: true, method });
      if (base === this.top && this.tree.body.includes(statement)) this.module.members.set(field, type);
      else if (base === this.top && !this.module.members.has(field)) this.module.members.set(field, any);
    });
    if (this.classes.has(this.top) && returned) this.module = Object.assign(this.module, { class: this.classes.get(this.top) });
  }

  eachStatement(node, visit) {
    if (Array.isArray(node)) for (const one of node) this.eachStatement(one, visit);
    else if (node && typeof node === "object" && node.type) {
      if (/Statement|FunctionDeclaration/.test(node.type)) visit(node);
      for (const [key, child] of Object.entries(node)) if (key !== "loc" && key !== "range") this.eachStatement(child, visit);
    }
  }

  signature(node, block, method) {
    const generic = (type) => (block && mentions(type, block.generics) ? any : type);
    const params = node.parameters.filter((p) => p.type === "Identifier").map((p) => {
      const said = block?.params.get(p.name);
      return { name: p.name, optional: said ? said.optional : true, type: generic(said?.type ?? any) };
    });
    const vararg = node.parameters.some((p) => p.type === "VarargLiteral") || block?.overloaded;
    return { k: "fun", params, vararg, method, returns: (block?.returns ?? []).map(generic), told: (block?.returns.length ?? 0) > 0 };
  }

  problem(node, message) {
    this.fail(node.loc.start.line, message);
  }

  run() {
    for (const [line, block] of this.blocks) this.names(line, block);
    this.block(this.tree.body);
  }

  // Each type that is named must be declared.
  names(line, block) {
    const look = (type) => {
      if (!type) return;
      if (type.k === "name" && !this.types.has(type.name) && !block.generics.has(type.name) && !/[*]|^\.\.\./.test(type.name)) this.fail(line, `there is no type ${type.name}`);
      for (const inner of [type.of, type.key, type.value, type.type, ...(type.list ?? []), ...(type.returns ?? [])]) if (inner?.k) look(inner);
      for (const inner of type.params ?? []) look(inner.type);
      if (type.fields) for (const field of type.fields.values()) look(field.type);
    };
    for (const type of [block.type, ...block.returns, ...[...block.params.values()].map((p) => p.type)]) look(type);
    for (const type of block.types) {
      if (type.k === "alias") look(type.type);
      else for (const field of type.fields.values()) if (!field.method) look(field.type);
    }
  }

  lookup(name) {
    for (let at = this.scopes.length - 1; at >= 0; at--) if (this.scopes[at].has(name)) return this.scopes[at].get(name);
    return undefined;
  }

  bind(name, type, node) {
    this.scopes.at(-1).set(name, { type, node, used: false });
  }

  block(body) {
    this.scopes.push(new Map());
    for (const statement of body) this.statement(statement);
    for (const [name, local] of this.scopes.pop()) {
      if (!local.used && local.node && !name.startsWith("_")) this.problem(local.node, `"${name}" is not used`);
    }
  }

  statement(node) {
    const block = this.blocks.get(node.loc.start.line);
    switch (node.type) {
      case "LocalStatement": {
        const got = this.list(node.init, node.variables.length, block?.type);
        node.variables.forEach((variable, at) => {
          const declared = at === 0 ? (block?.type ?? (block?.class && named(block.class))) : undefined;
          if (declared && !block.class && node.init[at]) this.fits(node.init[at], got[at], declared);
          const type = declared ?? (variable.name === this.top && this.scopes.length === 2 ? this.module : this.assigned.has(variable.name) ? any : widened(got[at]));
          this.bind(variable.name, type, node);
        });
        break;
      }
      case "AssignmentStatement": {
        const wants = node.variables.map((v) => (v.type === "Identifier" ? this.written(v) : this.place(v)));
        const got = this.list(node.init, node.variables.length, block?.type ?? wants[0]);
        node.variables.forEach((_, at) => {
          const want = at === 0 && block?.type ? block.type : wants[at];
          if (node.init[at] && want) this.fits(node.init[at], got[at], want);
        });
        break;
      }
      case "FunctionDeclaration": {
        const type = this.signature(node, block, node.identifier?.indexer === ":");
        if (node.isLocal) this.bind(node.identifier.name, type, node);
        else if (node.identifier?.type === "MemberExpression") this.typeOf(node.identifier.base);
        else this.written(node.identifier);
        this.function(node, type, block);
        break;
      }
      case "CallStatement":
        this.typeOf(node.expression);
        break;
      case "ReturnStatement":
        this.returned(node);
        break;
      case "IfStatement":
        for (const clause of node.clauses) {
          if (clause.condition) this.typeOf(clause.condition);
          this.block(clause.body);
        }
        break;
      case "WhileStatement":
        this.typeOf(node.condition);
        this.block(node.body);
        break;
      case "RepeatStatement":
        this.block([...node.body, { type: "CallStatement", expression: node.condition, loc: node.loc }]);
        break;
      case "DoStatement":
        this.block(node.body);
        break;
      case "ForNumericStatement":
      case "ForGenericStatement":
        this.loop(node);
        break;
    }
  }

  loop(node) {
    const types = node.type === "ForNumericStatement" ? [named("integer")] : this.iterated(node.iterators);
    if (node.type === "ForNumericStatement") for (const e of [node.start, node.end, node.step]) if (e) this.typeOf(e);
    this.scopes.push(new Map());
    const variables = node.variables ?? [node.variable];
    // A loop may have to name what it does not want.
    variables.forEach((variable, at) => this.bind(variable.name, this.assigned.has(variable.name) ? any : (types[at] ?? any), undefined));
    this.block(node.body);
    this.scopes.pop();
  }

  iterated(iterators) {
    const [first] = iterators;
    const types = iterators.map((e) => this.typeOf(e));
    const name = first.type === "CallExpression" && first.base.type === "Identifier" ? first.base.name : "";
    if (name !== "ipairs" && name !== "pairs") return types.map(() => any);
    const [over] = this.types.parts(this.typeOf(first.arguments[0]));
    if (over?.k === "array") return [named("integer"), over.of];
    if (over?.k === "map") return [over.key, over.value];
    return [any, any];
  }

  function(node, type, block) {
    this.scopes.push(new Map());
    if (node.identifier?.indexer === ":") {
      const owner = this.classes?.get(node.identifier.base.name);
      this.bind("self", owner ? named(owner) : any);
    }
    const names = node.parameters.map((p) => p.name ?? "...");
    for (const name of block?.params.keys() ?? []) {
      if (!names.includes(name)) this.problem(node, `there is no parameter "${name}"`);
    }
    for (const param of node.parameters) {
      if (param.type !== "Identifier") continue;
      const said = type.params.find((p) => p.name === param.name)?.type ?? any;
      this.bind(param.name, this.assigned.has(param.name) ? any : said);
    }
    this.returns.push(type.told ? type.returns : undefined);
    this.block(node.body);
    this.returns.pop();
    this.scopes.pop();
  }

  returned(node) {
    const wants = this.returns.at(-1);
    const got = this.list(node.arguments, node.arguments.length, wants?.[0]);
    if (!wants) return;
    node.arguments.forEach((argument, at) => {
      if (wants[at]) this.fits(argument, got[at], wants[at]);
      else if (!open(argument)) this.problem(node, `returns ${node.arguments.length} values, and ${wants.length} are told of`);
    });
  }

  fits(node, got, want) {
    const reason = this.types.misfit(got ?? any, want);
    if (reason) this.problem(node, reason);
  }

  // The types of a list of expressions, of which the last may be several.
  list(nodes, count, want) {
    const types = nodes.map((node, at) => this.typeOf(node, at === 0 ? want : undefined));
    const last = nodes.at(-1);
    if (last && nodes.length < count && last.type === "CallExpression" && last.multiple) types.push(...last.multiple.slice(1));
    return types;
  }

  written(node) {
    const local = this.lookup(node.name);
    if (!local) this.problem(node, `"${node.name}" would be a global`);
    else if (local.node?.type === "LocalStatement") return this.blocks.get(local.node.loc.start.line)?.type ?? any;
    return any;
  }

  // What may be assigned to a field.
  place(node) {
    if (node.type === "IndexExpression") return this.typeOf(node);
    const base = this.typeOf(node.base);
    if (base.k === "module") return base.members.get(node.identifier.name) ?? any;
    return this.member(base, node.identifier.name, node);
  }

  typeOf(node, want) {
    const cast = [node.range[1], node.range[1] + 1].map((at) => this.casts.get(at)).find(Boolean);
    const type = this.inferred(node, want);
    return cast ? readType(cast)[0] : type;
  }

  inferred(node, want) {
    switch (node.type) {
      case "Identifier":
        return this.identifier(node);
      case "StringLiteral": {
        const text = /^["']/.test(node.raw) ? node.raw.slice(1, -1) : undefined;
        return text === undefined ? named("string") : { k: "literal", of: "string", value: text };
      }
      case "NumericLiteral":
        return Number.isInteger(node.value) ? { k: "literal", of: "integer", value: node.raw } : named("number");
      case "BooleanLiteral":
        return { k: "literal", of: "boolean", value: String(node.value) };
      case "NilLiteral":
        return named("nil");
      case "FunctionDeclaration": {
        const wanted = want && this.types.parts(want).find((t) => t.k === "fun");
        const type = this.signature(node, undefined, false);
        if (wanted) type.params.forEach((p, at) => (p.type = wanted.params[at]?.type ?? any));
        this.function(node, type, undefined);
        return type;
      }
      case "MemberExpression":
        return this.member(this.typeOf(node.base), node.identifier.name, node);
      case "IndexExpression": {
        const base = this.types.parts(this.typeOf(node.base));
        this.typeOf(node.index);
        if (base.length !== 1) return any;
        return base[0].k === "array" ? base[0].of : base[0].k === "map" ? base[0].value : any;
      }
      case "CallExpression":
      case "StringCallExpression":
      case "TableCallExpression":
        return this.call(node);
      case "TableConstructorExpression":
        return this.made(node, want);
      case "UnaryExpression":
        this.typeOf(node.argument);
        return named(node.operator === "not" ? "boolean" : node.operator === "#" ? "integer" : "number");
      case "BinaryExpression":
        this.typeOf(node.left);
        this.typeOf(node.right);
        return named(/^[<>=~]/.test(node.operator) ? "boolean" : node.operator === ".." ? "string" : "number");
      case "LogicalExpression": {
        const [left, right] = [this.typeOf(node.left, want), this.typeOf(node.right, want)];
        if (node.operator === "and") return right.k === "any" ? any : union([right, named("nil")]);
        const kept = this.types.parts(left).filter((t) => t.k !== "literal" || t.value !== "false");
        return kept.length === 0 ? right : union([...kept, right]);
      }
      default:
        return any;
    }
  }

  identifier(node) {
    const local = this.lookup(node.name);
    if (local) {
      local.used = true;
      return local.type;
    }
    if (!globals.has(node.name)) this.problem(node, `there is no "${node.name}"`);
    return any;
  }

  member(base, name, node) {
    if (base.k === "module") {
      if (base.members.has(name)) return base.members.get(name);
      if (!base.open && !base.class) this.problem(node, `the module has no "${name}"`);
      return any;
    }
    const found = [];
    for (const type of this.types.parts(base)) {
      if (type.k === "table" && type.fields.has(name)) found.push(type.fields.get(name).type);
      else if (type.k === "table") continue;
      else if (type.k !== "name" || this.types.known.get(type.name)?.k !== "class" || !type.name.startsWith("clined.")) return any;
      else {
        const field = this.types.field(type.name, name);
        if (field) found.push(field.type);
      }
    }
    if (found.length > 0) return union(found);
    const shown = this.types.parts(base).map((t) => t.name ?? "the table");
    if (shown.length > 0) this.problem(node, `${shown.join("|")} has no field "${name}"`);
    return any;
  }

  call(node) {
    const callee = node.base;
    const args = node.arguments ?? (node.argument ? [node.argument] : []);
    if (callee.type === "Identifier" && callee.name === "require" && args[0]?.type === "StringLiteral" && !this.lookup("require")) {
      const name = args[0].raw.slice(1, -1);
      if (name === "clined" || name.startsWith("clined.")) {
        if (!this.modules.has(name)) this.problem(node, `there is no module ${name}`);
        return this.modules.get(name) ?? any;
      }
      return any;
    }
    const type = this.typeOf(callee);
    const funs = this.types.parts(type).filter((t) => t.k === "fun");
    const fun = funs.length === 1 && this.types.parts(type).length === 1 ? funs[0] : undefined;
    // A method that is called by a dot is given itself.
    const given = fun?.method && callee.indexer === "." ? args.slice(1) : args;
    if (given !== args) this.typeOf(args[0]);
    if (fun && !fun.method && callee.indexer === ":") {
      args.forEach((argument) => this.typeOf(argument));
      node.multiple = fun.returns;
      return fun.told ? (fun.returns[0] ?? any) : any;
    }
    given.forEach((argument, at) => {
      const param = fun?.params[at];
      const got = this.typeOf(argument, param?.type);
      if (param) this.fits(argument, got, param.type);
      else if (fun && !fun.vararg && !(at === given.length - 1 && open(argument))) this.problem(node, `takes ${fun.params.length} arguments, not ${given.length}`);
    });
    if (!fun) return callee.type === "Identifier" && callee.name in results && results[callee.name] ? named(results[callee.name]) : any;
    const missing = fun.params.slice(given.length).find((p) => !p.optional && !nullable(p.type));
    if (missing && !(given.length > 0 && open(given.at(-1)))) this.problem(node, `wants "${missing.name}"`);
    node.multiple = fun.returns;
    return fun.returns[0] ?? any;
  }

  made(node, want) {
    const wanted = want ? this.types.parts(want) : [];
    const fieldType = (name) => {
      if (wanted.length !== 1) return undefined;
      if (wanted[0].k === "table") return wanted[0].fields.get(name)?.type;
      if (wanted[0].k === "map") return wanted[0].value;
      return wanted[0].k === "name" ? this.types.field(wanted[0].name, name)?.type : undefined;
    };
    const made = { k: "made", fields: new Map(), items: [], open: false };
    for (const field of node.fields) {
      if (field.type === "TableKeyString") made.fields.set(field.key.name, this.typeOf(field.value, fieldType(field.key.name)));
      else if (field.type === "TableValue") made.items.push(this.typeOf(field.value, wanted.length === 1 && wanted[0].k === "array" ? wanted[0].of : undefined));
      else {
        this.typeOf(field.key);
        this.typeOf(field.value);
        made.open = true;
      }
    }
    return made;
  }
}

const open = (node) => /Call|Vararg/.test(node.type);

// A table without annotation may get further fields.
const widened = (type) => (!type || type.k === "made" || type.k === "literal" || (type.k === "name" && type.name === "nil") ? any : type);

function mentions(type, generics) {
  if (!type || generics.size === 0) return false;
  if (type.k === "name") return generics.has(type.name);
  return [type.of, type.key, type.value, ...(type.list ?? []), ...(type.returns ?? []), ...(type.params ?? []).map((p) => p.type)].some((t) => t?.k && mentions(t, generics));
}
