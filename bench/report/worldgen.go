package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"strata/bench/worldgen"
)

// WriteWorldgen writes a report of generation into dir, as [WriteCompression]
// does.
func WriteWorldgen(dir string, r *worldgen.Report, o Options) error {
	d, err := worldgenDocument(r)
	if err != nil {
		return err
	}
	return d.write(dir, o)
}

const worldgenMethod = "A stage’s time is CPU time of its thread for each chunk that it was run for, the median of the passes, a pass being all seeds; “total” is the sum of the stages. " +
	"“With rim” is CPU time of the process for each chunk that was asked for: what is made of the chunks beside the area counts too, and the more the smaller the radius. " +
	"Chunks are encoded and compressed as they would be saved. Structures are made as far as they need no game files."

func worldgenDocument(r *worldgen.Report) (*document, error) {
	seeds := make([]string, len(r.Seeds))
	for i, seed := range r.Seeds {
		seeds[i] = strconv.FormatInt(seed, 10)
	}
	d := &document{
		title: "Generating chunks, stage by stage", environment: environmentText(r.Environment, r.Load, ""),
		method: worldgenMethod, warnings: r.Warnings, result: r,
	}
	rows := section{
		Title: "Stages", Text: fmt.Sprintf("Radius %d, to status %s, %d passes of the seeds %s.", r.Radius, r.Until, r.Passes, strings.Join(seeds, ", ")),
		Table: table{Left: 2, Heads: []string{"dimension", "stage", "workers"}},
	}
	rows.Table.Heads = append(rows.Table.Heads, "a chunk", "spread", "chunks", "with rim", "chunks/s", "allocations", "record, B", "passes")
	var stacks []stack
	var rates []bar
	var current stack
	for i := range r.Rows {
		row := &r.Rows[i]
		label := fmt.Sprintf("%s × %d", strings.TrimPrefix(row.Dimension, "minecraft:"), row.Workers)
		cells := []string{row.Dimension, row.Stage, strconv.Itoa(row.Workers), duration(row.CPU), "-", whole(float64(row.Chunks)), "", "", "", "", strconv.Itoa(len(row.Samples))}
		if len(row.Samples) > 0 {
			cells[4] = percent(row.CPU, slices.Min(row.Samples), slices.Max(row.Samples))
		}
		if row.Stage != worldgen.Total {
			current.parts = append(current.parts, part{row.Stage, float64(row.CPU) / 1e6})
			rows.Table.Rows = append(rows.Table.Rows, cells)
			continue
		}
		cells[6], cells[7], cells[8], cells[9] = duration(row.CPUPerNew), short(row.ChunksPerS), whole(row.Allocs), whole(float64(row.Bytes))
		rows.Table.Rows = append(rows.Table.Rows, cells)
		current.label, current.note = label, short(float64(row.CPU)/1e6)+" ms"
		stacks = append(stacks, current)
		current = stack{}
		rates = append(rates, bar{label: label, value: row.ChunksPerS, low: row.ChunksPerS, high: row.ChunksPerS, color: darkBlue, note: short(row.ChunksPerS) + " chunks/s"})
	}
	d.sections = append(d.sections, rows)
	return d, d.draw(
		func() (*chart, error) {
			return stackChart("stages", "Time of the stages of a chunk, by dimension and workers", "From left to right in the order of the stages; the sum is behind the bar.", "CPU time a chunk, ms", stacks)
		},
		func() (*chart, error) {
			return barChart("rate", "Chunks a second, by dimension and workers", "Of the chunks that were asked for, on the wall clock: the rim of a small area costs more than that of a large one.", "chunks a second", rates)
		},
	)
}
