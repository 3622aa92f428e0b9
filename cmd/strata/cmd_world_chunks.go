package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"strata/anvil"
	"strata/anvil/query"
	"strata/cmd/internal/ui"
)

// chunkPicker are the flags that pick chunks.
type chunkPicker struct {
	where      string
	dimensions []string
	selection  string
	workers    int
}

func (p *chunkPicker) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&p.where, "where", "", "pick the chunks for which `EXPR` is true ('strata world chunks --fields' lists the names)")
	flags.StringSliceVar(&p.dimensions, "dimension", nil, "look at these dimensions only (`ID`, may be repeated)")
	flags.StringVar(&p.selection, "selection", "", "pick among the chunks of `FILE`, a selection of MCA Selector (CSV)")
	flags.IntVar(&p.workers, "workers", 0, "read `N` files at the same time (default one for each processor)")
}

// compile reads the flags. columns are further fields that rows are to have.
func (p *chunkPicker) compile(w *anvil.World, columns ...string) (*query.Query, query.Options, error) {
	text := p.where
	options := query.Options{Workers: p.workers}
	if p.selection != "" {
		file, err := os.Open(p.selection)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, options, ui.Errorf(ui.Missing, "%w", err)
		}
		if err != nil {
			return nil, options, err
		}
		options.Selection, err = query.ReadSelection(file)
		if err := errors.Join(err, file.Close()); err != nil {
			return nil, options, ui.Errorf(ui.Usage, "--selection %s: %w", p.selection, err)
		}
		text = "selected"
		if p.where != "" {
			text = "selected && (" + p.where + "\n)"
		}
	}
	q, err := query.Compile(text, columns...)
	if err != nil {
		return nil, options, ui.Errorf(ui.Usage, "%w", err)
	}
	for _, id := range p.dimensions {
		known, err := knownDimension(w, id)
		if err != nil {
			return nil, options, err
		}
		options.Dimensions = append(options.Dimensions, known)
	}
	return q, options, nil
}

// chunksFlags are the flags of strata world chunks beside those that pick.
type chunksFlags struct {
	chunkPicker
	columns []string
	format  string
	limit   int
	write   string
	fields  bool
}

func newWorldChunksCmd(a *app) *cobra.Command {
	var flags chunksFlags
	cmd := &cobra.Command{
		Use:   "chunks WORLD",
		Short: "List the chunks of a world that an expression picks",
		Long: `List the chunks of a world that an expression picks, with the columns asked for.

An expression combines fields with and, or, not, comparisons, arithmetic and
functions: status == "full" and inhabited < 1200 and not block("#logs"). Only
what it and the columns name is read: one of positions and timestamps reads the
headers of region files alone. --fields lists the names.

--format csv and jsonl write rows as they are found, table (the default) and
--json at the end. --write-selection writes the positions of one dimension for
MCA Selector.

Exit code 3: files could not be read, or the expression failed on some chunks.

With --json: columns[], chunks[] (an object for each, with the columns), looked_at,
picked, failed_expressions, failed[] (path, error).`,
		Example: `  strata world chunks world --where 'inhabited == 0 and border > 4' --columns x,z,bytes
  strata world chunks world --where 'block("diamond_ore")' --format csv > found.csv
  strata world chunks world --where 'near(0, 0, 10)' --write-selection spawn.csv`,
		Args: func(cmd *cobra.Command, args []string) error {
			if flags.fields && len(args) == 0 {
				return nil
			}
			return exactArgs("WORLD")(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if flags.fields {
				return a.console.Result(query.Fields(), func(w io.Writer) error { return writeFields(a.console, w) })
			}
			return a.worldChunks(cmd.Context(), args[0], &flags)
		},
	}
	flags.register(cmd)
	cmd.Flags().StringSliceVar(&flags.columns, "columns", []string{"x", "z", "status", "inhabited", "bytes"}, "fields to show")
	cmd.Flags().StringVar(&flags.format, "format", "table", "table, csv or jsonl")
	cmd.Flags().IntVar(&flags.limit, "limit", 0, "stop after `N` chunks (default no limit)")
	cmd.Flags().StringVar(&flags.write, "write-selection", "", "write the positions to `FILE`, for MCA Selector")
	cmd.Flags().BoolVar(&flags.fields, "fields", false, "list the names that expressions and --columns can use")
	return cmd
}

func writeFields(console *ui.Console, w io.Writer) error {
	table := console.NewTable(ui.Column{Head: "name"}, ui.Column{Head: "type"}, ui.Column{Head: "what it is"})
	for _, f := range query.Fields() {
		table.Row(f.Name, f.Type, f.Doc)
	}
	return table.Render(w)
}

// chunkList is the result of strata world chunks.
type chunkList struct {
	Columns []string     `json:"columns"`
	Chunks  []chunkValue `json:"chunks"`
	*query.Result
}

// chunkValue is a chunk's columns, as a JSON object in their order.
type chunkValue struct {
	columns []string
	values  []any
}

// MarshalJSON implements json.Marshaler.
func (v chunkValue) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, name := range v.columns {
		value, err := json.Marshal(v.values[i])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			out = append(out, ',')
		}
		out = fmt.Appendf(out, "%q:%s", name, value)
	}
	return append(out, '}'), nil
}

// texts are the values as a person reads them.
func (v chunkValue) texts() []string {
	texts := make([]string, len(v.values))
	for i, value := range v.values {
		if t, ok := value.(time.Time); ok {
			texts[i] = t.Format(time.RFC3339)
			continue
		}
		texts[i] = fmt.Sprint(value)
	}
	return texts
}

// errEnough ends a listing at its limit.
var errEnough = errors.New("enough")

func (a *app) worldChunks(ctx context.Context, path string, flags *chunksFlags) error {
	if !slices.Contains([]string{"table", "csv", "jsonl"}, flags.format) {
		return ui.Errorf(ui.Usage, "--format %s is none of table, csv, jsonl", flags.format)
	}
	w, err := openWorld(path)
	if err != nil {
		return err
	}
	q, options, err := flags.compile(w, flags.columns...)
	if err != nil {
		return err
	}
	list := &chunkList{Columns: flags.columns, Chunks: []chunkValue{}}
	add := func(v chunkValue) error {
		list.Chunks = append(list.Chunks, v)
		return nil
	}
	finish := func() error {
		return a.console.Result(list, func(w io.Writer) error { return list.writeText(a.console, w) })
	}
	if !a.console.JSON() && flags.format != "table" {
		add, finish = rowWriter(a.streams.Out, flags)
	}
	return a.listChunks(ctx, w, q, options, flags, list, add, finish)
}

// rowWriter writes rows as they come.
func rowWriter(to io.Writer, flags *chunksFlags) (add func(chunkValue) error, finish func() error) {
	if flags.format == "jsonl" {
		encoder := json.NewEncoder(to)
		return func(v chunkValue) error { return encoder.Encode(v) }, func() error { return nil }
	}
	out := csv.NewWriter(to)
	headed := false
	head := func() error {
		if headed {
			return nil
		}
		headed = true
		return out.Write(flags.columns)
	}
	add = func(v chunkValue) error { return errors.Join(head(), out.Write(v.texts())) }
	return add, func() error {
		err := head()
		out.Flush()
		return errors.Join(err, out.Error())
	}
}

func (a *app) listChunks(ctx context.Context, w *anvil.World, q *query.Query, options query.Options, flags *chunksFlags, list *chunkList, add func(chunkValue) error, finish func() error) error {
	selection := &query.Selection{}
	dimensions := make(map[string]bool)
	n := 0
	var err error
	list.Result, err = query.Select(ctx, w, q, options, func(row *query.Row) error {
		v := chunkValue{columns: flags.columns, values: make([]any, len(flags.columns))}
		for i, name := range flags.columns {
			v.values[i] = row.Value(name)
		}
		selection.Add(row.Pos())
		dimensions[row.Dimension] = true
		if err := add(v); err != nil {
			return err
		}
		if n++; n == flags.limit {
			return errEnough
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	if flags.write != "" {
		if len(dimensions) > 1 {
			return ui.Errorf(ui.Usage, "--write-selection: the chunks are of %s; choose one with --dimension", countText(len(dimensions), "dimension"))
		}
		if err := writeSelection(flags.write, selection); err != nil {
			return err
		}
	}
	if err := finish(); err != nil {
		return err
	}
	return queryProblems(list.Result)
}

// writeSelection writes a selection to a new file, or over an old one.
func writeSelection(path string, s *query.Selection) (err error) {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = s.WriteTo(file)
	return err
}

// queryProblems is the error of a query that could not look at everything.
func queryProblems(r *query.Result) error {
	switch {
	case r.Failures > 0:
		return ui.Errorf(ui.Problems, "the expression failed on %s, first: %w", countText(int(r.Failures), "chunk"), r.First)
	case len(r.Failed) > 0:
		return ui.Errorf(ui.Problems, "could not be read: %s, first %s: %w", countText(len(r.Failed), "file"), r.Failed[0].Path, r.Failed[0].Err)
	default:
		return nil
	}
}

func (l *chunkList) writeText(console *ui.Console, w io.Writer) error {
	columns := make([]ui.Column, len(l.Columns))
	for i, name := range l.Columns {
		columns[i] = ui.Column{Head: strings.ReplaceAll(name, "_", " "), Right: len(l.Chunks) > 0 && isNumber(l.Chunks[0].values[i])}
	}
	table := console.NewTable(columns...)
	for _, v := range l.Chunks {
		table.Row(v.texts()...)
	}
	if err := table.Render(w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s of %s\n", ui.FormatCount(l.Picked), countText(int(l.Looked), "chunk"))
	return err
}

func isNumber(v any) bool {
	_, ok := v.(int)
	return ok
}
