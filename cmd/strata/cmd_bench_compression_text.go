package main

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"strata/bench"
	"strata/cmd/internal/ui"
)

func writeCompressionText(console *ui.Console, w io.Writer, r *bench.CompressionReport) error {
	e := r.Environment
	fmt.Fprintf(w, "%s, seed %d; %s, %d cores, %s; %s\n", r.Source, r.Seed, e.CPU, e.Cores, e.Go, clockText(e.CPUClock))
	for _, k := range r.Kinds {
		if err := writeCompressionKind(console, w, r, k); err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	for _, advice := range r.Advice {
		fmt.Fprintf(w, "%s: level %s (%s chunks). Why: %s\n", advice.Use, advice.Level, advice.Kind, advice.Reason)
	}
	for _, text := range r.Warnings {
		fmt.Fprintf(w, "Warning: %s\n", text)
	}
	for _, text := range r.LeftOut {
		fmt.Fprintf(w, "Left out: %s\n", text)
	}
	return nil
}

func writeCompressionKind(console *ui.Console, w io.Writer, r *bench.CompressionReport, k bench.CompressionKind) error {
	about := ""
	if !k.Exact {
		about = "about "
	}
	fmt.Fprintf(w, "\n%s: %s of %s%s chunks, %s of NBT each", k.Kind,
		ui.FormatCount(int64(k.Chunks)), about, ui.FormatCount(k.WorldChunks), ui.FormatBytes(int64(k.NBTBytes)))
	if k.StoredSectorBytes > 0 {
		fmt.Fprintf(w, "; stored now: payload %s, sectors %s, world %s", bytesText(k.StoredPayloadBytes), bytesText(k.StoredSectorBytes), megaText(k.StoredWorld))
	}
	if y := r.Yardstick(k.Kind); y != nil {
		fmt.Fprintf(w, "; x = %s", k.Yardstick)
		if y.Identical > 0 {
			fmt.Fprintf(w, ", %s of its streams as stored", ui.FormatCount(int64(y.Identical)))
		}
	}
	fmt.Fprint(w, "\n\n")
	table := console.NewTable(
		ui.Column{Head: "codec"}, ui.Column{Head: "level", Right: true},
		ui.Column{Head: "payload", Right: true}, ui.Column{Head: "sectors", Right: true},
		ui.Column{Head: "of now", Right: true}, ui.Column{Head: "world MB", Right: true},
		ui.Column{Head: "compress", Right: true}, ui.Column{Head: "x", Right: true}, ui.Column{Head: "p95", Right: true}, ui.Column{Head: "MB/s", Right: true},
		ui.Column{Head: "decompress", Right: true}, ui.Column{Head: "MB/s", Right: true},
		ui.Column{Head: "memory", Right: true}, ui.Column{Head: "n", Right: true},
	)
	for _, row := range r.Of(k.Kind) {
		name := row.Name
		if row.Scheme != "zlib" {
			name += " " + row.Scheme
		}
		memory := "-"
		if row.MemoryBytes >= 0 {
			memory = ui.FormatBytes(row.MemoryBytes)
		}
		table.Row(name, string(row.Level), bytesText(row.PayloadBytes), bytesText(row.SectorBytes),
			factorText(row.SectorsToStored), megaText(row.WorldSectors),
			timeText(row.CompressNS), factorText(row.CompressToYardstick), timeText(row.CompressP95NS), speedText(row.CompressPerS),
			timeText(row.DecompressNS), speedText(row.DecompressPerS), memory, strconv.Itoa(row.Samples))
	}
	return table.Render(w)
}

// megaText is an estimate in MB with its error.
func megaText(e bench.Estimate) string {
	if e.Bytes == 0 {
		return "-"
	}
	text := strconv.FormatFloat(float64(e.Bytes)/1e6, 'f', 1, 64)
	switch {
	case e.ErrorBytes < 0:
		return text + "±?"
	case e.ErrorBytes > 0:
		return text + "±" + strconv.FormatFloat(float64(e.ErrorBytes)/1e6, 'f', 1, 64)
	}
	return text
}

// timeText is microText of a time that an interrupt may have left out.
func timeText(d time.Duration) string {
	if d == 0 {
		return "-"
	}
	return microText(d)
}

func factorText(r float64) string {
	if r == 0 {
		return "-"
	}
	return strconv.FormatFloat(r, 'f', 3, 64)
}

func speedText(perSecond int64) string {
	if perSecond == 0 {
		return "-"
	}
	return ui.FormatCount((perSecond + 500_000) / 1_000_000)
}
