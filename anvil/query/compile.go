package query

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/vm"

	"strata/anvil/chunk"
)

// ErrSyntax is wrapped by errors about a text that is no query.
var ErrSyntax = errors.New("not an expression over chunks")

// MaxText is the longest text of a query, in bytes.
const MaxText = 64 << 10

// Query is a compiled expression. It may be used by any number of Selects at
// the same time.
type Query struct {
	text    string
	program *vm.Program // nil: all chunks
	need    need
	// Made when they are first needed: sets of blocks and NBT paths by their
	// texts.
	sets, paths sync.Map
	tables      *chunk.Tables
}

// Compile compiles a text, "" for all chunks. columns are further fields that
// rows are to have. Errors wrap ErrSyntax.
func Compile(text string, columns ...string) (*Query, error) {
	if len(text) > MaxText {
		return nil, fmt.Errorf("%d bytes of at most %d: %w", len(text), MaxText, ErrSyntax)
	}
	q := &Query{text: text, tables: chunk.NewTables()}
	fields := Fields()
	for _, name := range columns {
		known := func(f Field) bool { return f.Name == name && f.Type != "function" }
		if !slices.ContainsFunc(fields, known) {
			return nil, fmt.Errorf("%q is no field: %w", name, ErrSyntax)
		}
		q.need |= needs[name]
	}
	if text == "" {
		return q, nil
	}
	names := &identifiers{}
	program, err := expr.Compile(text, expr.Env(Row{}), expr.AsBool(), expr.Patch(names))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	for _, name := range names.list {
		q.need |= needs[name]
	}
	q.program = program
	return q, nil
}

// String returns the text.
func (q *Query) String() string { return q.text }

// identifiers collects the names that an expression uses.
type identifiers struct{ list []string }

// Visit implements ast.Visitor.
func (v *identifiers) Visit(node *ast.Node) {
	if id, ok := (*node).(*ast.IdentifierNode); ok {
		v.list = append(v.list, id.Value)
	}
}

// Match reports whether a row is picked.
func (q *Query) match(machine *vm.VM, row *Row) (bool, error) {
	if q.program == nil {
		return true, nil
	}
	result, err := machine.Run(q.program, row)
	if err != nil {
		return false, err
	}
	picked, _ := result.(bool)
	return picked, nil
}
