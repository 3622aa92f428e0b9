package noise_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// exactMath are the functions and constants of package math whose results are
// exact or rounded correctly on every machine. Sin, Cos, Exp, Log, Pow and
// their like are not, and are not Java's; FMA is fused.
var exactMath = strings.Fields(`Abs Ceil Copysign Floor Float32bits Float32frombits Float64bits
	Float64frombits Frexp Inf IsInf IsNaN Ldexp MaxFloat32 MaxFloat64 MaxInt MaxInt16 MaxInt32
	MaxInt64 MaxInt8 MaxUint16 MaxUint32 MaxUint64 MaxUint8 MinInt MinInt16 MinInt32 MinInt64
	MinInt8 Mod Modf NaN Pi RoundToEven Signbit SmallestNonzeroFloat32 SmallestNonzeroFloat64 Sqrt Sqrt2 Trunc`)

func TestWorldGenerationCallsOnlyExactMath(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		for _, call := range inexactMath(t, path, nil) {
			t.Errorf("%s uses math.%s", path, call)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 10 {
		t.Errorf("read only %d files", files)
	}
	found := inexactMath(t, "example.go", "package p\nimport m \"math\"\nvar x = m.Sqrt(2) + m.Pow(2, 3)\n")
	if !slices.Equal(found, []string{"Pow"}) {
		t.Errorf("in an example with math.Pow found %q", found)
	}
}

// inexactMath lists what a file uses of package math beyond exactMath.
func inexactMath(t *testing.T, path string, source any) (found []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range file.Imports {
		if spec.Path.Value != `"math"` {
			continue
		}
		name := "math"
		if spec.Name != nil {
			name = spec.Name.Name
		}
		ast.Inspect(file, func(n ast.Node) bool {
			selector, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := selector.X.(*ast.Ident); ok && x.Name == name && !slices.Contains(exactMath, selector.Sel.Name) {
				found = append(found, selector.Sel.Name)
			}
			return true
		})
	}
	return found
}
