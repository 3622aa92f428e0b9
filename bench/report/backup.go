package report

import (
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"strata/bench/backup"
)

// WriteBackup writes a report of backups into dir, as [WriteCompression] does.
func WriteBackup(dir string, r *backup.Report, o Options) error {
	d, err := backupDocument(r)
	if err != nil {
		return err
	}
	return d.write(dir, o)
}

const backupMethod = "The saves of a history are replayed into one folder; after each of them every contender makes a snapshot, in an order that turns from save to save. " +
	"Then each makes another one of the same folder, five times, and restores the last one to a new folder, which is compared byte by byte or, where region files are repacked, chunk by chunk. " +
	"Times are of the wall clock; ours include opening the repository and making everything durable, those of the programs their start. " +
	"tree and repo are ours, repo-exact is a repo that keeps every byte; rsync runs with -a --link-dest, restic with its defaults."

func backupDocument(r *backup.Report) (*document, error) {
	d := &document{
		title: "Backups of " + r.History, environment: environmentText(r.Environment, r.Load, ""),
		method: backupMethod, warnings: r.Warnings, result: r,
	}
	for _, name := range r.Missing {
		d.leftOut = append(d.leftOut, name+": not installed")
	}
	rows := section{
		Title: "Contenders", Text: fmt.Sprintf("%d saves.", len(r.Saves)),
		Table: table{Left: 2, Heads: []string{"name", "version", "store, MB", "create all", "CPU of that", "repeat", "repeat adds, kB", "restore", "compared by"}},
	}
	for _, row := range r.Rows {
		equal := row.Equal
		if equal == "" {
			equal = "not restored"
		}
		rows.Table.Rows = append(rows.Table.Rows, []string{
			row.Name, row.Version, megas(row.Bytes), duration(time.Duration(row.CreateNS)), duration(time.Duration(row.CreateCPUNS)),
			duration(time.Duration(row.RepeatNS)), short(float64(row.RepeatBytes) / 1e3), duration(time.Duration(row.RestoreNS)), equal,
		})
	}
	d.sections = append(d.sections, rows, savesSection(r))
	return d, d.draw(
		func() (*chart, error) { return storeChart(r) },
		func() (*chart, error) { return addedChart(r) },
		func() (*chart, error) {
			return backupBars(r, "create", "Backing up all saves", func(row *backup.Row) timing { return timing{ns: time.Duration(row.CreateNS)} })
		},
		func() (*chart, error) {
			return backupBars(r, "repeat", "Backing up the last save again", func(row *backup.Row) timing {
				t := timing{ns: time.Duration(row.RepeatNS)}
				if all := row.RepeatSamples; len(all) > 0 {
					t.least, t.most = time.Duration(slices.Min(all)), time.Duration(slices.Max(all))
				}
				return t
			})
		},
		func() (*chart, error) {
			return backupBars(r, "restore", "Restoring the last save", func(row *backup.Row) timing { return timing{ns: time.Duration(row.RestoreNS)} })
		},
	)
}

// savesSection is what each save changed, and what each store grew by.
func savesSection(r *backup.Report) section {
	s := section{
		Title: "Saves",
		Text:  "Budget is 1.5 times the bytes that changed, 64 a record and 2,048 a region file: what a store of chunks may grow by after the first save.",
		Table: table{Left: 1, Heads: []string{"save", "size, MB", "files changed", "region files", "records changed", "payload, MB", "other data, MB", "budget, MB"}},
	}
	for _, row := range r.Rows {
		s.Table.Heads = append(s.Table.Heads, row.Name+" adds, MB")
	}
	for i, save := range r.Saves {
		cells := []string{
			save.Name, megas(save.Bytes), whole(float64(save.ChangedFiles)), whole(float64(save.TouchedRegions)),
			whole(float64(save.ChangedRecords)), megas(save.PayloadBytes), megas(save.DataBytes), megas(save.Budget),
		}
		for _, row := range r.Rows {
			cells = append(cells, megas(row.Added[i]))
		}
		s.Table.Rows = append(s.Table.Rows, cells)
	}
	return s
}

// storeChart is the size of stores after each save.
func storeChart(r *backup.Report) (*chart, error) {
	if len(r.Saves) < 2 {
		return nil, nil
	}
	var curves []curve
	least, most := math.Inf(1), 0.0
	for i, row := range r.Rows {
		size := float64(row.Bytes)
		for _, added := range row.Added {
			size -= float64(added)
		}
		one := curve{name: row.Name, color: stackColors[i%len(stackColors)], dashed: row.Name == "repo-exact" || row.Name == "rsync"}
		for k, added := range row.Added {
			size += float64(added)
			least, most = min(least, size/1e6), max(most, size/1e6)
			one.points = append(one.points, plotter.XY{X: float64(k + 1), Y: size / 1e6})
		}
		curves = append(curves, one)
	}
	c, err := curveChart("store", "Size of the store after each save", "Folders of links have whole files that changed, stores of chunks only what is new in them.", "saves backed up", "size of the store, MB (logarithmic)", curves)
	if c != nil && least > 0 {
		c.plot.X.Min, c.plot.X.Tick.Marker = 1, everyStep{step: 1}
		c.plot.Y.Scale, c.plot.Y.Tick.Marker = plot.LogScale{}, decades{}
		c.plot.Y.Min, c.plot.Y.Max = least/1.25, most*math.Pow(most/least, 0.6) // room for the legend
	}
	return c, err
}

// addedChart is what the stores grew by after the first save.
func addedChart(r *backup.Report) (*chart, error) {
	if len(r.Saves) < 2 {
		return nil, nil
	}
	var bars []bar
	sum := func(values []int64) (total float64) {
		for _, v := range values {
			total += float64(v) / 1e6
		}
		return total
	}
	for _, row := range r.Rows {
		added := sum(row.Added[1:])
		bars = append(bars, bar{label: row.Name, value: added, low: added, high: added, color: colorOf(row.Name), note: short(added) + " MB"})
	}
	budget := 0.0
	for _, save := range r.Saves[1:] {
		budget += float64(save.Budget) / 1e6
	}
	bars = append(bars, bar{label: "budget", value: budget, low: budget, high: budget, color: storedGray, note: short(budget) + " MB"})
	return barChart("added", "What the saves after the first one added", "The budget is what a store of chunks may grow by: 1.5 times the bytes that changed, and a little a record and file.", "sum over the saves, MB", bars)
}

func backupBars(r *backup.Report, name, title string, of func(*backup.Row) timing) (*chart, error) {
	var all []timing
	var reference time.Duration
	for i := range r.Rows {
		if r.Rows[i].Name == "rsync" {
			reference = of(&r.Rows[i]).ns
		}
	}
	for i := range r.Rows {
		t := of(&r.Rows[i])
		if t.ns == 0 {
			continue // interrupted before
		}
		t.label, t.name = r.Rows[i].Name, r.Rows[i].Name
		if reference > 0 && t.name != "rsync" {
			t.ratio, t.reference = ratio(t.ns, reference), "rsync"
		}
		all = append(all, t)
	}
	return timeChart(name, title, "by the wall clock", all)
}
