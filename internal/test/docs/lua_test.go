package docs

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"clined/internal/config"
)

const luaHead = `--- The settings of clined: types for the language server, and the defaults.
--- Written by go test ./internal/test/docs -update from the daemon's own list.
---
--- The defaults are for people who look for them. Send the daemon only what the
--- user set: it lays that over the user's settings file.

`

// luaClass is a class of settings and its fields, in order.
type luaClass struct {
	name   string
	fields []luaField
}

type luaField struct{ name, typ, doc, value string }

// luaClasses groups the keys; the first class is the whole.
func luaClasses() []*luaClass {
	all := &luaClass{name: "clined.Settings"}
	list, groups := []*luaClass{all}, map[string]*luaClass{}
	for _, k := range config.Keys() {
		group, name, inGroup := strings.Cut(k.Name, ".")
		into := all
		if inGroup {
			if groups[group] == nil {
				class := &luaClass{name: "clined.Settings." + strings.ToUpper(group[:1]) + group[1:]}
				groups[group], list = class, append(list, class)
				all.fields = append(all.fields, luaField{name: group, typ: class.name})
			}
			into = groups[group]
		} else {
			name = group
		}
		field := luaField{name: name, typ: luaType(k), doc: k.Doc}
		if _, _, inherits := override(k); !inherits {
			field.value = luaValue(k.Default)
		}
		into.fields = append(into.fields, field)
	}
	return list
}

func luaType(k config.Key) string {
	switch k.Type {
	case config.Choice:
		words := make([]string, len(k.Choices))
		for i, c := range k.Choices {
			words[i] = string(c)
		}
		if _, _, inherits := override(k); string(k.Default) == `""` && !inherits {
			words = append([]string{`""`}, words...)
		}
		return strings.Join(words, "|")
	case config.Flag:
		return "boolean"
	case config.Count:
		return "integer"
	case config.Amount:
		return "number"
	case config.List:
		return "string[]"
	case config.Costs:
		return "table<string, clined.Price>"
	}
	return "string"
}

// luaValue writes a default, as StyLua would; JSON's scalars are Lua's.
func luaValue(v json.RawMessage) string {
	var list []json.RawMessage
	if json.Unmarshal(v, &list) != nil {
		return string(v)
	}
	if len(list) == 0 {
		return "{}"
	}
	words := make([]string, len(list))
	for i, word := range list {
		words[i] = string(word)
	}
	if line := "{ " + strings.Join(words, ", ") + " }"; len(line) <= 100 {
		return line
	}
	return "{\n    " + strings.Join(words, ",\n    ") + ",\n  }"
}

func TestLuaSettings(t *testing.T) {
	var b strings.Builder
	b.WriteString(luaHead)
	b.WriteString("--- US dollars per million tokens.\n---@class clined.Price\n---@field input? number\n---@field output? number\n---@field cacheRead? number\n---@field cacheWrite? number\n\n")
	classes := luaClasses()
	for _, c := range classes[1:] {
		writeLuaClass(&b, c)
	}
	writeLuaClass(&b, classes[0])
	b.WriteString("---@type clined.Settings\nlocal defaults = {\n")
	for _, f := range classes[0].fields {
		inner := ""
		for _, c := range classes[1:] {
			if c.name == f.typ {
				for _, g := range c.fields {
					if g.value != "" {
						inner += fmt.Sprintf("    %s = %s,\n", g.name, g.value)
					}
				}
			}
		}
		switch {
		case inner != "":
			fmt.Fprintf(&b, "  %s = {\n%s  },\n", f.name, inner)
		case f.value != "":
			fmt.Fprintf(&b, "  %s = %s,\n", f.name, f.value)
		default:
			fmt.Fprintf(&b, "  %s = {},\n", f.name)
		}
	}
	b.WriteString("}\n\nreturn defaults\n")
	generated(t, "editors/neovim/lua/clined/settings.lua", b.String())
}

func writeLuaClass(b *strings.Builder, c *luaClass) {
	fmt.Fprintf(b, "---@class %s\n", c.name)
	for _, f := range c.fields {
		b.WriteString(strings.TrimRight(fmt.Sprintf("---@field %s? %s %s", f.name, f.typ, f.doc), " ") + "\n")
	}
	b.WriteString("\n")
}
