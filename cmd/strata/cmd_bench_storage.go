package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"strata/bench"
	"strata/bench/report"
	"strata/cmd/internal/ui"
)

func newBenchStorageCmd(a *app) *cobra.Command {
	var opts bench.StorageOptions
	var corpusPath, peersDir, nodeDir string
	var reports benchReportFlags
	cmd := &cobra.Command{
		Use:   "storage",
		Short: "Reading and writing chunks in region files on this disk",
		Long: `Read and write chunks in region files, and measure that. It needs no world.

durable_write and durable_rewrite make chunks of two sectors durable: in groups
(strata), each on its own (strata-each), and with two synchronous writes a
chunk, as the game does by default (osync); a file that is seen when it is whole
(strata-create) has them at once. open opens a file, for reading or for writing
(strata-write), beside a bare read of its header (pread). The next ones work on the chunks of
a corpus, or on synthetic ones: read; inflate (read and inflate); load (read,
inflate and decode); scan (read, inflate and index the NBT of a whole file);
save (encode, compress, and write a file without waiting for the disk);
durable_save (compress and make durable in groups). random_rewrite shows what
rewriting in random order costs in time and space, also with freed sectors
punched out of the file (strata-punch), read_under_flush what a
reader notices of a writer that waits for the disk.

With --peers, or in a checkout, go-mc opens, loads, scans and saves the same chunks
beside us, built with the go command. Its load and scan decode each chunk,
keeping what can be kept from chunk to chunk (go-mc) or with all new
(go-mc-fresh); its save starts from generic values, as it cannot encode its own
chunk, and compresses with level 6. So does the provider of prismarine
(prismarine-provider-anvil) where Node and its npm package are there
(--node-peer): chunks read, inflated and parsed into objects, and back.

Contenders of one operation take turns pass by pass: "x" is the ratio to the
reference in the same run, by the same clock: that of the wall, or CPU time of
the thread or of the whole process. What is written is read back and compared. The files,
60 MB at most, are in a temporary folder and are removed at the end.

` + benchReportHelp,
		Example: `  strata bench storage
  strata bench storage --dir /mnt/world-disk --corpus chunks.bin.zst --json`,
		Args: exactArgs(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := reports.check(); err != nil {
				return err
			}
			for _, name := range []string{"passes", "chunks", "rewrites"} {
				if n, err := cmd.Flags().GetInt(name); err == nil && n < 1 {
					return ui.Errorf(ui.Usage, "--%s %d is below 1", name, n)
				}
			}
			if corpusPath != "" {
				var err error
				if opts.Corpus, err = loadCorpus(corpusPath); err != nil {
					return err
				}
				opts.CorpusName = filepath.Base(corpusPath)
			}
			// Before the peers are built, which takes its time.
			err := opts.Check()
			if wrong, ok := errors.AsType[*bench.RangeError](err); ok {
				return ui.Errorf(ui.Usage, "--%w", wrong)
			}
			if err != nil {
				return err
			}
			result, err := a.benchStorage(cmd, peersDir, nodeDir, opts)
			if err != nil {
				return err
			}
			for _, p := range result.Peers {
				a.notePeer(p)
			}
			return a.benchResult(cmd, reports, result,
				func(dir string, o report.Options) error { return report.WriteStorage(dir, result, o) },
				func(w io.Writer) error { return writeStorageReport(a.console, w, result) })
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&opts.Dir, "dir", "", "folder on the disk to measure (default the current `DIR`, or else the system's temporary one)")
	flags.StringVar(&corpusPath, "corpus", "", "chunk corpus (`FILE`.bin.zst) for all that reads, loads, scans or saves")
	flags.IntVar(&opts.Passes, "passes", bench.DefaultPasses, "measure `N` times and take the median")
	flags.IntVar(&opts.Chunks, "chunks", 1000, "`N` chunks a pass, at most 1024")
	flags.IntVar(&opts.Rewrites, "rewrites", 50_000, "rewrite `N` chunks in random order")
	flags.IntVar(&opts.MaxGroup, "max-group", 0, "at most `N` writes that share flushes (default what every command uses)")
	addPeersFlag(cmd, &peersDir)
	flags.StringVar(&nodeDir, "node-peer", defaultNodePeerDir, "folder `DIR` of the peer that runs on Node, \"\" for none")
	reports.add(cmd)
	return cmd
}

// benchStorage starts the peers, runs the benchmark and shows where it is and
// how far.
func (a *app) benchStorage(cmd *cobra.Command, peersDir, nodeDir string, opts bench.StorageOptions) (*bench.StorageReport, error) {
	peers, err := a.startPeers(cmd, peersDir)
	if err != nil {
		return nil, err
	}
	defer a.closePeers(cmd.Context(), peers)
	node, err := a.startNodePeer(cmd, nodeDir)
	if err != nil {
		return nil, err
	}
	defer a.closePeers(cmd.Context(), node)
	for _, p := range []*bench.Peers{peers, node} {
		if p != nil {
			opts.Peers = append(opts.Peers, p)
		}
	}
	opts.Began = func(dir string) { a.console.Notef("measuring in %s", dir) }
	progress := a.console.StartProgress(ui.Work{Label: "measure", Unit: "passes"})
	defer progress.Stop()
	last := 0
	opts.Progress = func(done, total int) {
		progress.SetTotal(int64(total))
		progress.Add(int64(done - last))
		last = done
	}
	return bench.Storage(cmd.Context(), opts)
}

func writeStorageReport(console *ui.Console, w io.Writer, r *bench.StorageReport) error {
	e, s := r.Environment, r.Sample
	if _, err := fmt.Fprintf(w, "%s; %s, %d cores, %s\n%s chunks, %s: %s of NBT each, %s in %s of sectors\n\n",
		fileSystemText(r.FileSystem), e.CPU, e.Cores, e.Go,
		ui.FormatCount(int64(s.Chunks)), s.Source, ui.FormatBytes(s.RawBytes), ui.FormatBytes(s.PayloadBytes), ui.FormatBytes(s.SectorBytes)); err != nil {
		return err
	}
	table := console.NewTable(
		ui.Column{Head: "op"}, ui.Column{Head: "name"}, ui.Column{Head: "clock"},
		ui.Column{Head: "a chunk", Right: true}, ui.Column{Head: "±", Right: true},
		ui.Column{Head: "best pass", Right: true}, ui.Column{Head: "x", Right: true},
		ui.Column{Head: "rate", Right: true}, ui.Column{Head: "flushes", Right: true},
		ui.Column{Head: "p50", Right: true}, ui.Column{Head: "p99", Right: true}, ui.Column{Head: "slowest", Right: true},
	)
	for i := range r.Rows {
		row := &r.Rows[i]
		ratio := ""
		if row.Reference != "" {
			ratio = fmt.Sprintf("%.3f", row.Ratio)
		}
		table.Row(row.Op, row.Name, clockWord(row.Clock),
			ui.FormatDuration(row.NS), spreadText(row.NS, row.MinNS, row.MaxNS),
			ui.FormatDuration(row.MinNS), ratio,
			ui.FormatBytes(row.BytesPerS)+"/s", ui.FormatCount(row.Flushes),
			singleText(row.P50NS), singleText(row.P99NS), singleText(row.SlowestNS))
	}
	if err := table.Render(w); err != nil {
		return err
	}
	return writeStorageNotes(w, r)
}

// clockWord names a clock of rows in a word.
func clockWord(clock string) string { return strings.TrimSuffix(clock, "_cpu") }

// singleText is a time of single chunks, empty where there is none.
func singleText(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return ui.FormatDuration(d)
}

// writeStorageNotes says what the table has no columns for.
func writeStorageNotes(w io.Writer, r *bench.StorageReport) error {
	fmt.Fprintf(w, "\np50, p99 and slowest are single chunks: of writes from being handed over, all at\nonce but in the saves, to being durable or, in save, written. Read back and\ncompared: %s chunks.\n", ui.FormatCount(int64(r.Verified)))
	for _, p := range r.Peers {
		fmt.Fprintf(w, "%s. Its scan decodes too,\nits save starts from generic values and compresses with level 6.\n", p)
	}
	for _, reason := range r.LeftOut {
		fmt.Fprintf(w, "Left out: %s\n", reason)
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		if s := row.Space; s != nil {
			fmt.Fprintf(w, "After %s random rewrites the file of %s is %.3f times its live sectors%s; compacted in %s, %.3f times.\n",
				ui.FormatCount(int64(s.Rewrites)), row.Name, s.FilePerLive, blocksText(s), ui.FormatDuration(s.CompactNS), s.CompactedPerLive)
		}
		if row.Op == "save" && row.PayloadBytes > 0 {
			fmt.Fprintf(w, "save of %s: %s B of payload in %s B of sectors a chunk.\n", row.Name, ui.FormatCount(row.PayloadBytes), ui.FormatCount(row.SectorBytes))
		}
		if row.Op == "load" && row.ProcessNS > 0 {
			fmt.Fprintf(w, "load of %s: %s of CPU time a chunk in the whole process.\n", row.Name, ui.FormatDuration(row.ProcessNS))
		}
		if row.Goal > 0 {
			fmt.Fprintf(w, "%s of %s: %.3f of %s (best passes %.3f), goal %.2f: %s.\n",
				row.Op, row.Name, row.Ratio, row.Reference, row.MinRatio, row.Goal, verdict(row.Ratio <= row.Goal))
		}
		if row.GoalBytesPerS > 0 {
			fmt.Fprintf(w, "%s of %s: %s of NBT a second and core, goal %s: %s.\n", row.Op, row.Name,
				megabytesText(row.BytesPerS), megabytesText(row.GoalBytesPerS), verdict(row.BytesPerS >= row.GoalBytesPerS))
		}
	}
	writeWarnings(w, &r.Course)
	if r.FileSystem == "tmpfs" {
		fmt.Fprintln(w, "tmpfs is memory, where nothing waits for a disk: choose another --dir for the durable rows.")
	}
	return nil
}

// blocksText is what a file takes of the disk, if that is known.
func blocksText(s *bench.StorageSpace) string {
	if s.AllocatedBytes < 0 || s.LiveBytes <= 0 {
		return ""
	}
	return fmt.Sprintf(", its blocks %.3f times", float64(s.AllocatedBytes)/float64(s.LiveBytes))
}

// megabytesText is a size in decimal units, as goals are set in them.
func megabytesText(n int64) string { return ui.FormatCount((n+500_000)/1_000_000) + " MB" }

func fileSystemText(name string) string {
	if name == "" {
		return "file system not known"
	}
	return name
}
