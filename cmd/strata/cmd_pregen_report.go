package main

import (
	"fmt"
	"io"
	"strconv"
	"time"

	"strata/cmd/internal/ui"
	"strata/pregen"
)

// pregenReport is the result of strata pregen.
type pregenReport struct {
	New               int64           `json:"new"`
	Resumed           int64           `json:"resumed"`
	Existing          int64           `json:"existing"`
	Failed            int64           `json:"failed"`
	Blended           int64           `json:"blended"`
	Rim               int64           `json:"rim"`
	LeftToGame        int64           `json:"left_to_game"`
	StructuresLeftOut int64           `json:"structures_left_out"`
	Planned           int64           `json:"planned"`
	ChunksPerS        float64         `json:"chunks_per_s"`
	CPUPerChunk       time.Duration   `json:"cpu_ns_per_chunk"`
	Bytes             int64           `json:"bytes"`
	Committed         int             `json:"committed"`
	Elapsed           time.Duration   `json:"elapsed_ns"`
	CPU               time.Duration   `json:"cpu_ns"`
	Seed              string          `json:"seed"`
	Dimensions        []string        `json:"dimensions"`
	Until             string          `json:"until"`
	Failures          []pregenFailure `json:"failures"`
}

// pregenFailure is a chunk that was not made.
type pregenFailure struct {
	Dimension string `json:"dimension"`
	X         int32  `json:"x"`
	Z         int32  `json:"z"`
	Error     string `json:"error"`
}

func newPregenReport(r *pregen.Report, job *pregenJob) *pregenReport {
	p := &pregenReport{
		New: r.New, Resumed: r.Resumed, Existing: r.Existing, Failed: r.Failed, Blended: r.Blended,
		Rim: r.Rim, LeftToGame: r.LeftToGame, StructuresLeftOut: r.StructuresLeftOut, Planned: r.Planned,
		ChunksPerS: r.ChunksPerSecond(), CPUPerChunk: r.CPUPerChunk(), Bytes: r.Bytes, Committed: r.Committed,
		Elapsed: r.Elapsed, CPU: r.CPU,
		Seed: strconv.FormatInt(job.options.Seed, 10), Dimensions: job.dimensions, Until: job.options.Until.String(),
		Failures: []pregenFailure{},
	}
	for _, f := range r.Failures {
		p.Failures = append(p.Failures, pregenFailure{f.Dimension, f.Pos.X, f.Pos.Z, f.Err.Error()})
	}
	return p
}

func (p *pregenReport) writeText(_ *ui.Console, w io.Writer) error {
	const most = 20
	for i, f := range p.Failures {
		if i == most {
			break
		}
		fmt.Fprintf(w, "failed: chunk %d,%d of %s: %s\n", f.X, f.Z, f.Dimension, firstLine(f.Error))
	}
	if more := p.Failed - min(most, int64(len(p.Failures))); more > 0 {
		fmt.Fprintf(w, "failed: %s more\n", ui.FormatCount(more))
	}
	if p.Blended > 0 {
		fmt.Fprintf(w, "%s of them would be blended with chunks from before 1.18 by the game; --no-blending makes them all the same.\n", ui.FormatCount(p.Blended))
	}
	if p.Committed > 0 {
		fmt.Fprintf(w, "Region files with defects that got chunks added and were not rewritten: %d\n", p.Committed)
	}
	text := ui.FormatCount(p.New) + " new"
	if p.Resumed > 0 {
		text += ", " + ui.FormatCount(p.Resumed) + " from before"
	}
	text += fmt.Sprintf(", %s existing, %s failed", ui.FormatCount(p.Existing), ui.FormatCount(p.Failed))
	for _, extra := range []struct {
		n    int64
		what string
	}{{p.Rim, "of the rim"}, {p.LeftToGame, "left to the game"}, {p.StructuresLeftOut, "structures left out"}} {
		if extra.n > 0 {
			text += fmt.Sprintf(", %s %s", ui.FormatCount(extra.n), extra.what)
		}
	}
	if p.New > 0 {
		text += fmt.Sprintf("; %.1f chunks/s, %s of CPU a chunk, %s", p.ChunksPerS, ui.FormatDuration(p.CPUPerChunk), ui.FormatBytes(p.Bytes))
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

// firstLine leaves out the stack of a panic.
func firstLine(text string) string {
	for i, r := range text {
		if r == '\n' {
			return text[:i]
		}
	}
	return text
}
