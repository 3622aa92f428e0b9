package report

import (
	"fmt"
	"slices"
	"strconv"

	"gonum.org/v1/plot/plotter"

	"strata/bench"
)

// WriteStorage writes a report of storage into dir, as [WriteCompression] does.
func WriteStorage(dir string, r *bench.StorageReport, o Options) error {
	d, err := storageDocument(r)
	if err != nil {
		return err
	}
	return d.write(dir, o)
}

const storageMethod = "Contenders of one operation take turns pass by pass. A time is the median over passes of a pass’s time divided by its chunks (in open, by its opens), by the clock that the row names: " +
	"the wall’s where the disk is waited for, CPU time of the thread, or of the whole process in save. p50, p99 and slowest are single chunks; of a durable write, from being handed over, all at once, to being durable. " +
	"osync writes as the game does by default, with two synchronous writes a chunk. Files were checked, read back and compared."

// fragmentationGoal is the size of a file to its live sectors that rewriting in
// random order must not exceed.
const fragmentationGoal = 1.15

func storageDocument(r *bench.StorageReport) (*document, error) {
	fileSystem := r.FileSystem
	if fileSystem == "" {
		fileSystem = "a file system that is not known"
	}
	d := &document{
		title: "Chunks in region files on " + fileSystem, environment: environmentText(r.Environment, r.Load, ""),
		method: storageMethod, warnings: slices.Clone(r.Warnings), leftOut: slices.Clone(r.LeftOut), result: r,
	}
	if r.FileSystem == "tmpfs" {
		d.warnings = append(d.warnings, "tmpfs is memory, where nothing waits for a disk")
	}
	for _, p := range r.Peers {
		d.addPeer(p)
	}
	s := r.Sample
	text := fmt.Sprintf("%s chunks, %s: %s B of NBT each, %s B of payload in %s B of sectors. %s chunks were read back and compared.",
		whole(float64(s.Chunks)), s.Source, whole(float64(s.RawBytes)), whole(float64(s.PayloadBytes)), whole(float64(s.SectorBytes)), whole(float64(r.Verified)))
	for _, p := range r.Peers {
		text += " " + peerText(p)
	}
	rows := section{Title: "Operations", Text: text, Table: table{
		Left:  3,
		Heads: []string{"op", "name", "clock", "a chunk", "spread", "best pass", "ratio", "to", "MB/s", "flushes", "p50", "p99", "slowest", "payload, B", "sectors, B", "passes"},
	}}
	for i := range r.Rows {
		row := &r.Rows[i]
		rows.Table.Rows = append(rows.Table.Rows, []string{
			row.Op, row.Name, row.Clock, duration(row.NS), percent(row.NS, row.MinNS, row.MaxNS), duration(row.MinNS),
			factor(row.Ratio), row.Reference, perSecond(row.BytesPerS), whole(float64(row.Flushes)),
			duration(row.P50NS), duration(row.P99NS), duration(row.SlowestNS),
			orDash(row.PayloadBytes), orDash(row.SectorBytes), strconv.Itoa(row.Passes),
		})
		d.addGoal(row.Op, row.Ratio, row.Goal, row.Reference, 0, 0)
		if row.GoalBytesPerS > 0 {
			d.points.Title, d.points.Intro = "Goals", "What is wanted of it:"
			d.points.Items = append(d.points.Items, point{row.Op + ":", fmt.Sprintf("%s MB of NBT a second and core, goal %s: %s.",
				perSecond(row.BytesPerS), perSecond(row.GoalBytesPerS), met(row.BytesPerS >= row.GoalBytesPerS))})
		}
	}
	d.sections = append(d.sections, rows)
	d.addSpace(r)
	return d, d.draw(
		func() (*chart, error) {
			return storageBars(r, "durable", "Making chunks durable", "a chunk, wall clock", "durable_write", "durable_rewrite", "durable_save", "random_rewrite")
		},
		func() (*chart, error) {
			return storageBars(r, "reads", "From the file to NBT", "a chunk, CPU", "inflate", "load", "scan")
		},
		func() (*chart, error) {
			return storageBars(r, "save", "Saving without waiting for the disk", "a chunk", "save")
		},
		func() (*chart, error) {
			return storageBars(r, "open", "Opening a file, and reading a record", "an open or record", "open", "read", "read_under_flush")
		},
		func() (*chart, error) { return fragmentationChart(r) },
		func() (*chart, error) { return sectorChart(spaceMap(r), true) },
		func() (*chart, error) { return sectorChart(spaceMap(r), false) },
	)
}

func orDash(v int64) string {
	if v <= 0 {
		return "-"
	}
	return whole(float64(v))
}

// addSpace adds the table of what random rewrites did to files.
func (d *document) addSpace(r *bench.StorageReport) {
	s := section{
		Title: "After rewriting in random order",
		Text:  "Live are the sectors that a header names, its own included. Allocated are the blocks of the disk: with punching, freed sectors have none.",
		Table: table{Left: 1, Heads: []string{
			"name", "rewrites", "live, MB", "file, MB", "file to live", "allocated, MB", "compact", "compacted, MB", "compacted to live", "compacted allocated, MB",
		}},
	}
	for i := range r.Rows {
		if p := r.Rows[i].Space; p != nil {
			s.Table.Rows = append(s.Table.Rows, []string{
				r.Rows[i].Name, whole(float64(p.Rewrites)), megas(p.LiveBytes), megas(p.FileBytes), factor(p.FilePerLive), allocated(p.AllocatedBytes),
				duration(p.CompactNS), megas(p.CompactedBytes), factor(p.CompactedPerLive), allocated(p.CompactedAllocatedBytes),
			})
		}
	}
	if len(s.Table.Rows) > 0 {
		d.sections = append(d.sections, s)
	}
}

func allocated(bytes int64) string {
	if bytes < 0 {
		return "not known"
	}
	return megas(bytes)
}

func spaceMap(r *bench.StorageReport) *bench.RegionMap {
	for i := range r.Rows {
		if p := r.Rows[i].Space; p != nil && p.Map != nil {
			return p.Map
		}
	}
	return nil
}

func storageBars(r *bench.StorageReport, name, title, per string, ops ...string) (*chart, error) {
	var all []timing
	for _, op := range ops {
		for i := range r.Rows {
			if row := &r.Rows[i]; row.Op == op {
				all = append(all, timing{
					label: row.Op + " " + row.Name, name: row.Name,
					ns: row.NS, least: row.MinNS, most: row.MaxNS, ratio: row.Ratio, reference: row.Reference,
				})
			}
		}
	}
	return timeChart(name, title, per, all)
}

// fragmentationChart is the size of files over their rewrites, to what they need.
func fragmentationChart(r *bench.StorageReport) (*chart, error) {
	var curves []curve
	last := 0.0
	for i := range r.Rows {
		space := r.Rows[i].Space
		if space == nil {
			continue
		}
		var file, blocks plotter.XYs
		for _, p := range space.Curve {
			at := float64(p.Rewrites)
			last = max(last, at)
			file = append(file, plotter.XY{X: at, Y: float64(p.FileBytes) / float64(p.LiveBytes)})
			if p.AllocatedBytes >= 0 {
				blocks = append(blocks, plotter.XY{X: at, Y: float64(p.AllocatedBytes) / float64(p.LiveBytes)})
			}
		}
		if r.Rows[i].Name == "strata-punch" {
			curves = append(curves, curve{name: "disk blocks, punched", color: codecColors["klauspost"], points: blocks})
			continue
		}
		curves = append(curves, curve{name: "size of the file", color: darkBlue, points: file})
	}
	if len(curves) > 0 {
		curves = append(curves, curve{
			name: "goal", color: textGray, dashed: true,
			points: plotter.XYs{{X: 0, Y: fragmentationGoal}, {X: last, Y: fragmentationGoal}},
		})
	}
	c, err := curveChart("fragmentation", "Size of a file that is rewritten in random order",
		"1 is a file without a free sector. The dashed line is the goal for a file of a thousand chunks: 1.15.",
		"chunks rewritten", "size, to the sectors in use", curves)
	if c != nil {
		c.plot.Y.Tick.Marker = everyStep{step: 0.25}
	}
	return c, err
}
