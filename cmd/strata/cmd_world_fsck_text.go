package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"strata/anvil/fsck"
	"strata/cmd/internal/ui"
	"strata/region"
)

// maxLines is how many findings or steps are listed for people.
const maxLines = 200

func (r *fsckResult) writeText(console *ui.Console, w io.Writer) error {
	if err := writeFindings(console, w, r.Report, r.all); err != nil {
		return err
	}
	if r.Repair == nil {
		return nil
	}
	return r.Repair.writePlan(w)
}

// writeFindings lists what was found, the worst first, and sums it up.
func writeFindings(console *ui.Console, w io.Writer, r *fsck.Report, all bool) error {
	var list []*fsck.Finding
	info := 0
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Severity > region.SeverityInfo || all {
			list = append(list, f)
		} else {
			info += f.Count
		}
	}
	slices.SortStableFunc(list, func(a, b *fsck.Finding) int { return cmp.Compare(b.Severity, a.Severity) })
	table := console.NewTable(ui.Column{Head: "severity"}, ui.Column{Head: "class"}, ui.Column{Head: "file"}, ui.Column{Head: "chunk"}, ui.Column{Head: "what is wrong"})
	for _, f := range list[:min(len(list), maxLines)] {
		table.Row(f.Severity.String(), string(f.Class), f.File, chunkText(f.X, f.Z), f.Detail)
	}
	if len(list) > 0 {
		if err := table.Render(w); err != nil {
			return err
		}
		if n := len(list) - maxLines; n > 0 {
			fmt.Fprintf(w, "and %s more: see --json\n", ui.FormatCount(int64(n)))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s in %s: ", countText(int(r.Chunks), "chunk"), countText(r.Files, "file"))
	switch n := len(list); {
	case n == 0 && info == 0:
		fmt.Fprint(w, "nothing found")
	case n == 0:
		fmt.Fprint(w, "no problems")
	default:
		fmt.Fprint(w, countText(n, "finding"))
	}
	if info > 0 {
		fmt.Fprintf(w, "; %s of severity info (--all lists them)", ui.FormatCount(int64(info)))
	}
	if r.Ignored > 0 {
		fmt.Fprintf(w, ", %s ignored", ui.FormatCount(int64(r.Ignored)))
	}
	_, err := fmt.Fprintln(w)
	if r.Live {
		_, err = fmt.Fprintln(w, "The world is in use: what is unstable was being written.")
	}
	return err
}

func chunkText(x, z *int32) string {
	if x == nil {
		return ""
	}
	return fmt.Sprintf("%d,%d", *x, *z)
}

func (r *fsckRepair) writePlan(w io.Writer) error {
	fmt.Fprintln(w)
	if r.Empty() {
		fmt.Fprintln(w, "There is nothing that a repair could do.")
	} else {
		fmt.Fprintf(w, "to repair, %s:\n", countText(len(r.Steps), "step"))
		writeSteps(w, r.Steps)
	}
	r.writeLeft(w)
	if r.Empty() {
		return nil
	}
	return r.Undo.writeText(w)
}

func (r *fsckRepair) writeLeft(w io.Writer) {
	if len(r.Left) > 0 {
		fmt.Fprintln(w, "left as it is:")
		writeSteps(w, r.Left)
	}
}

func writeSteps(w io.Writer, steps []fsck.Step) {
	for i := range steps[:min(len(steps), maxLines)] {
		s := &steps[i]
		fmt.Fprintf(w, "  %s", s.String())
		if s.Error != "" {
			fmt.Fprintf(w, ": %s", s.Error)
		}
		fmt.Fprintln(w)
	}
	if n := len(steps) - maxLines; n > 0 {
		fmt.Fprintf(w, "  and %s more: see --json\n", ui.FormatCount(int64(n)))
	}
}

// writeDone says what a repair has done and what is left.
func (r *fsckResult) writeDone(console *ui.Console, w io.Writer, after *fsck.Report) error {
	repair := r.Repair
	fmt.Fprintf(w, "repaired: %s\n", countText(repair.Done, "step"))
	writeSteps(w, repair.Steps)
	if len(repair.Failed) > 0 {
		fmt.Fprintln(w, "could not be done:")
		writeSteps(w, repair.Failed)
	}
	repair.writeLeft(w)
	if n := len(repair.Kept); n > 0 {
		fmt.Fprintf(w, "%s kept in strata/rescue\n", countText(n, "original file"))
	}
	if err := repair.Undo.writeText(w); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nchecked again:")
	return writeFindings(console, w, after, r.all)
}
