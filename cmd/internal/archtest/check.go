package archtest

import (
	"bytes"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Finding is one broken rule.
type Finding struct {
	Path string // of the file or folder, with slashes, from the root
	Text string // what is wrong with it
}

// String returns "path: text".
func (f Finding) String() string { return f.Path + ": " + f.Text }

// Check reads the project below the root of fsys and returns what breaks a
// rule, in the order of paths. The error is about reading or parsing a file.
func Check(fsys fs.FS) ([]Finding, error) {
	c := &checker{fsys: fsys}
	if err := c.root(); err != nil {
		return nil, err
	}
	if err := fs.WalkDir(fsys, ".", c.visit); err != nil {
		return nil, err
	}
	slices.SortStableFunc(c.findings, func(a, b Finding) int { return strings.Compare(a.Path, b.Path) })
	return c.findings, nil
}

type checker struct {
	fsys     fs.FS
	findings []Finding
	// foreign is the folder of the nested module being walked, or "".
	foreign string
}

func (c *checker) add(path, format string, args ...any) {
	c.findings = append(c.findings, Finding{path, fmt.Sprintf(format, args...)})
}

func (c *checker) root() error {
	entries, err := fs.ReadDir(c.fsys, ".")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, ".") && !slices.Contains(topLevel, name) && !isIgnored(name) {
			c.add(name, "not one of the agreed names of the top level")
		}
	}
	return nil
}

// isIgnored reports whether git ignores a name in the root.
func isIgnored(name string) bool {
	switch path.Ext(name) {
	case ".test", ".prof", ".pprof":
		return true
	}
	return slices.Contains(ignored, name)
}

func (c *checker) visit(name string, entry fs.DirEntry, err error) error {
	if err != nil {
		return err
	}
	if entry.IsDir() {
		return c.folder(name)
	}
	if !entry.Type().IsRegular() || (path.Dir(name) == "." && isIgnored(name)) {
		return nil
	}
	data, err := fs.ReadFile(c.fsys, name)
	if err != nil {
		return err
	}
	c.texts(name, data)
	if strings.HasSuffix(name, ".go") && c.isOurs(name) {
		return c.goFile(name, data)
	}
	return nil
}

func (c *checker) folder(name string) error {
	base := path.Base(name)
	switch {
	case name == ".":
		return nil
	case base == ".git", base == ".cache", base == "node_modules", path.Dir(name) == "." && isIgnored(base):
		return fs.SkipDir
	}
	if c.foreign != "" && !within(name, c.foreign) {
		c.foreign = ""
	}
	if _, err := fs.Stat(c.fsys, path.Join(name, "go.mod")); err == nil && c.foreign == "" {
		c.foreign = name
	}
	return nil
}

// isOurs reports whether the go command builds name as part of our module.
func (c *checker) isOurs(name string) bool {
	if c.foreign != "" && within(name, c.foreign) {
		return false
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == "testdata" || strings.HasPrefix(part, ".") || strings.HasPrefix(part, "_") {
			return false
		}
	}
	return true
}

// texts looks for what must not stand in any text. Binary files have none.
func (c *checker) texts(name string, data []byte) {
	if bytes.IndexByte(data, 0) >= 0 {
		return
	}
	for _, text := range machineTexts {
		if at := bytes.Index(data, []byte(text)); at >= 0 {
			line := 1 + bytes.Count(data[:at], []byte("\n"))
			c.add(name, "line %d names a path of a machine or a package registry: %q", line, text)
		}
	}
}

func (c *checker) goFile(name string, data []byte) error {
	file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.ImportsOnly)
	if err != nil {
		return err
	}
	folder := path.Dir(name)
	for _, word := range []string{file.Name.Name, path.Base(folder)} {
		if slices.Contains(noPackage, word) {
			c.add(name, "a package named %s: put each thing beside its caller or with the noun it is about", word)
			break
		}
	}
	if strings.HasSuffix(name, "_test.go") {
		return nil
	}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return err
		}
		if why := forbidden(folder, imported); why != "" {
			c.add(name, "imports %s: %s", imported, why)
		}
	}
	return c.regionFiles(name, data)
}

// forbidden says why a package in folder may not import imported, or "".
func forbidden(folder, imported string) string {
	if within(imported, testsOnly...) && !within(folder, testSupport...) {
		return "only tests may"
	}
	r, ok := ruleFor(folder)
	if !ok {
		return "this folder has no rule"
	}
	switch {
	case within(imported, module):
		return r.forbidsOwn(strings.TrimPrefix(imported, module+"/"), folder)
	case isStandard(imported):
		return ""
	case r.external == nil && within(imported, cmdOnly...):
		return "flags and terminals belong to cmd"
	case r.external != nil && !within(imported, r.external...):
		return r.folder + " may not import this module"
	}
	return ""
}

func (r rule) forbidsOwn(imported, folder string) string {
	top, _, _ := strings.Cut(r.folder, "/")
	switch {
	case r.alone && !within(imported, r.folder):
		return r.folder + " may import the standard library only"
	case within(imported, top), within(imported, r.own...), slices.Contains(r.packages, imported):
		return ""
	}
	return fmt.Sprintf("%s may not import it", folder)
}

// ruleFor returns the rule of the longest folder that holds folder.
func ruleFor(folder string) (best rule, ok bool) {
	for _, r := range rules {
		if within(folder, r.folder) && len(r.folder) > len(best.folder) {
			best, ok = r, true
		}
	}
	return best, ok
}

// isStandard reports whether an import path is of the standard library, whose
// first element has no dot.
func isStandard(imported string) bool {
	first, _, _ := strings.Cut(imported, "/")
	return !strings.Contains(first, ".")
}

// within reports whether name is one of the folders or lies below one.
func within(name string, folders ...string) bool {
	for _, folder := range folders {
		if folder == "" || name == folder || strings.HasPrefix(name, folder+"/") {
			return true
		}
	}
	return false
}
