package main

import (
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"github.com/spf13/cobra"

	"strata/bench"
	"strata/bench/corpus"
	"strata/bench/report"
	"strata/cmd/internal/ui"
)

func newBenchNBTCmd(a *app) *cobra.Command {
	var flags struct {
		corpus, peers  string
		passes, chunks int
	}
	var reports benchReportFlags
	cmd := &cobra.Command{
		Use:   "nbt",
		Short: "Reading, writing and editing NBT of chunks",
		Long: `Read, write and edit the NBT of chunks, and measure that. It needs no world.

walk indexes a whole chunk, skip looks for five members of its root. unmarshal
and marshal decode into and encode from a struct with the fields of a chunk
(typed) or whatever there is (any). edit replaces LastUpdate and one section of
an indexed chunk. The chunks are those of a corpus, or synthetic ones.

With --peers, or in a checkout, go-mc does the same beside us, built with the
go command: "x" is the ratio to it in the same run. It cannot encode a struct
that it has decoded, so both forms of marshal are compared with its any. Times
are CPU time a chunk, the median of the passes, "±" half the distance from the
fastest pass to the slowest. Results are checked before their time counts.

` + benchReportHelp,
		Example: `  strata bench nbt
  strata bench nbt --corpus chunks.bin.zst --peers bench/peers --json`,
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := reports.check(); err != nil {
				return err
			}
			if flags.passes < 1 || flags.passes > bench.MaxPasses {
				return ui.Errorf(ui.Usage, "--passes %d: want 1 to %d", flags.passes, bench.MaxPasses)
			}
			if flags.chunks < 1 || flags.chunks > bench.MaxNBTChunks {
				return ui.Errorf(ui.Usage, "--chunks %d: want 1 to %d", flags.chunks, bench.MaxNBTChunks)
			}
			chunks, source, err := nbtChunks(flags.corpus, flags.chunks)
			if err != nil {
				return err
			}
			result, err := a.benchNBT(cmd, chunks, flags.peers, bench.NBTOptions{
				Passes: flags.passes, Chunks: flags.chunks, Source: source,
			})
			if err != nil {
				return err
			}
			a.notePeer(result.Peer)
			return a.benchResult(cmd, reports, result,
				func(dir string, o report.Options) error { return report.WriteNBT(dir, result, o) },
				func(w io.Writer) error { return writeNBTReport(a.console, w, result) })
		},
	}
	cmd.Flags().StringVar(&flags.corpus, "corpus", "", "chunk corpus (`FILE`.bin.zst) to measure on")
	cmd.Flags().IntVar(&flags.passes, "passes", bench.DefaultPasses, "measure `N` times and take the median")
	// Far more than fit into any cache, as in a world.
	cmd.Flags().IntVar(&flags.chunks, "chunks", 1000, "`N` chunks, of a larger corpus every n-th")
	addPeersFlag(cmd, &flags.peers)
	reports.add(cmd)
	return cmd
}

// nbtChunks loads the corpus, or makes n chunks if there is none.
func nbtChunks(path string, n int) (chunks []corpus.Chunk, source string, err error) {
	if path != "" {
		chunks, err = loadCorpus(path)
		return chunks, filepath.Base(path), err
	}
	for _, raw := range bench.SyntheticChunks(n) {
		chunks = append(chunks, corpus.Chunk{NBT: raw})
	}
	return chunks, "synthetic", nil
}

// benchNBT starts the peers, runs the benchmark and shows how far it is.
func (a *app) benchNBT(cmd *cobra.Command, chunks []corpus.Chunk, peersDir string, opts bench.NBTOptions) (*bench.NBTReport, error) {
	peers, err := a.startPeers(cmd, peersDir)
	if err != nil {
		return nil, err
	}
	defer a.closePeers(cmd.Context(), peers)
	progress := a.console.StartProgress(ui.Work{Label: "measure", Unit: "passes"})
	defer progress.Stop()
	last := 0
	opts.Peers = peers
	opts.Progress = func(done, total int) {
		progress.SetTotal(int64(total))
		progress.Add(int64(done - last))
		last = done
	}
	return bench.NBT(cmd.Context(), chunks, opts)
}

func writeNBTReport(console *ui.Console, w io.Writer, r *bench.NBTReport) error {
	e, s := r.Environment, r.Sample
	if _, err := fmt.Fprintf(w, "%s, %d cores, %s; %s\n%s chunks, %s: %s and %s tags each\n\n",
		e.CPU, e.Cores, e.Go, clockWords(e.CPUClock),
		ui.FormatCount(int64(s.Chunks)), s.Source, ui.FormatBytes(int64(s.Bytes)), ui.FormatCount(int64(s.Tags))); err != nil {
		return err
	}
	// Within 80 columns.
	table := console.NewTable(
		ui.Column{Head: "op"}, ui.Column{Head: "form"}, ui.Column{Head: "name"},
		ui.Column{Head: "a chunk", Right: true}, ui.Column{Head: "±", Right: true},
		ui.Column{Head: "x", Right: true}, ui.Column{Head: "allocs", Right: true},
		ui.Column{Head: "memory", Right: true}, ui.Column{Head: "rate", Right: true},
	)
	for i := range r.Rows {
		row := &r.Rows[i]
		ratio := ""
		if row.Reference != "" {
			ratio = fmt.Sprintf("%.3f", row.Ratio)
		}
		table.Row(row.Op, row.Form, row.Name,
			ui.FormatDuration(row.NS), spreadText(row.NS, row.MinNS, row.MaxNS), ratio,
			allocsText(row.Allocs), ui.FormatBytes(int64(row.AllocBytes+0.5)), ui.FormatBytes(row.BytesPerS)+"/s")
	}
	if err := table.Render(w); err != nil {
		return err
	}
	return writeNBTNotes(w, r)
}

// allocsText rounds but for what is not quite none.
func allocsText(mean float64) string {
	if mean > 0 && mean < 1 {
		return strconv.FormatFloat(mean, 'f', 3, 64)
	}
	return ui.FormatCount(int64(mean + 0.5))
}

// writeNBTNotes says whom we are compared with, and whether goals are met.
func writeNBTNotes(w io.Writer, r *bench.NBTReport) error {
	fmt.Fprintln(w)
	if p := r.Peer; p != nil {
		fmt.Fprintf(w, "%s is %s, built with %s.\n", p.Name, p.Version, p.Go)
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		what := row.Op
		if row.Form != "" {
			what += " " + row.Form
		}
		if row.Goal > 0 {
			fmt.Fprintf(w, "%s: %.3f of %s's %s (best passes %.3f), goal %.3g: %s.\n", what,
				row.Ratio, row.Reference, row.ReferenceForm, row.MinRatio, row.Goal, verdict(row.Ratio <= row.Goal))
		}
		if row.GoalNS > 0 {
			fmt.Fprintf(w, "%s: %s (best pass %s), goal %s: %s.\n", what, ui.FormatDuration(row.NS),
				ui.FormatDuration(row.MinNS), ui.FormatDuration(row.GoalNS), verdict(row.NS <= row.GoalNS))
		}
	}
	writeWarnings(w, &r.Course)
	return nil
}

func verdict(met bool) string {
	if met {
		return "met"
	}
	return "missed"
}

func clockWords(kind string) string {
	if kind == "wall" {
		return "times of the wall clock, for want of a thread clock"
	}
	return "times of thread CPU"
}
