package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"
)

// regionWriters are the folders whose packages may open region files for
// writing. Everybody else changes a world through anvil/store, which has the
// one cache of it.
var regionWriters = []string{"region", "anvil/store", "backup", "bench"}

const regionPackage = module + "/region"

// regionOpeners are the functions of package region that open files for
// writing, unless their options say ReadOnly.
var regionOpeners = map[string]bool{"Open": true, "OpenFolder": true, "Create": true, "Repair": true}

// regionFiles looks for calls that open region files for writing. What it
// accepts has ReadOnly: true in the call itself, so that nobody has to follow
// a variable.
func (c *checker) regionFiles(name string, data []byte) error {
	if within(path.Dir(name), regionWriters...) || strings.HasSuffix(name, "_test.go") {
		return nil
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, data, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	local := localName(file, regionPackage)
	if local == "" {
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && opensForReading(call) {
			return false
		}
		selector, ok := n.(*ast.SelectorExpr)
		if !ok || !regionOpeners[selector.Sel.Name] {
			return true
		}
		if x, ok := selector.X.(*ast.Ident); ok && x.Name == local {
			c.add(name, "line %d: %s.%s may write: change worlds through anvil/store, or pass ReadOnly: true in the call",
				set.Position(selector.Pos()).Line, local, selector.Sel.Name)
		}
		return true
	})
	return nil
}

// localName is what a file calls an imported package, "" if it does not.
func localName(file *ast.File, imported string) string {
	for _, spec := range file.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err != nil || p != imported {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return path.Base(imported)
	}
	return ""
}

// opensForReading reports whether a call has options with ReadOnly: true.
func opensForReading(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		options, ok := arg.(*ast.CompositeLit)
		if !ok {
			continue
		}
		for _, element := range options.Elts {
			pair, ok := element.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			key, isKey := pair.Key.(*ast.Ident)
			value, isValue := pair.Value.(*ast.Ident)
			if isKey && isValue && key.Name == "ReadOnly" && value.Name == "true" {
				return true
			}
		}
	}
	return false
}
