package workspace

import (
	"io/fs"
	"slices"
)

// noise are folders made by tools, of which nothing is ever looked for: they
// are neither listed nor searched unless named.
var noise = map[string]bool{
	".git": true, ".hg": true, ".svn": true, ".jj": true,
	"node_modules": true, "bower_components": true, "jspm_packages": true,
	"__pycache__": true, ".venv": true, "venv": true, ".tox": true, ".nox": true, ".eggs": true,
	".mypy_cache": true, ".pytest_cache": true, ".ruff_cache": true, ".ipynb_checkpoints": true,
	".gradle": true, ".terraform": true, ".next": true, ".nuxt": true, ".svelte-kit": true, ".turbo": true,
	".parcel-cache": true, ".yarn": true, ".pnpm-store": true, ".cache": true, ".dart_tool": true,
}

func isNoise(name string) bool { return noise[name] }

// bulky are folders that mostly hold copies and results. They are named in
// listings and not entered, but searched: some are source code. With markers,
// only those that stand beside one of them are meant.
var bulky = map[string][]string{
	"dist": nil, "out": nil, "bundle": nil, "vendor": nil, "tmp": nil, "temp": nil, "deps": nil, "_build": nil,
	"Pods": nil, "DerivedData": nil, "coverage": nil, "htmlcov": nil,
	"target": {"Cargo.toml", "pom.xml", "build.sbt", "project.clj"},
	"build": {"build.gradle", "build.gradle.kts", "CMakeLists.txt", "setup.py", "pyproject.toml", "package.json", "pubspec.yaml",
		"meson.build", "Package.swift"},
	"env": {"requirements.txt", "setup.py", "pyproject.toml"},
}

// isBulky tells whether a folder is bulky, given what stands beside it.
func isBulky(name string, beside []fs.DirEntry) bool {
	markers, ok := bulky[name]
	if !ok || markers == nil {
		return ok
	}
	return slices.ContainsFunc(beside, func(e fs.DirEntry) bool { return slices.Contains(markers, e.Name()) })
}
