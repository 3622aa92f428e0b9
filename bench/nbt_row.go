package bench

// finish makes the row of a series.
func (r *nbtRun) finish(s *nbtSeries) NBTRow {
	row := s.row
	row.Passes, row.Chunks, row.Bytes = len(s.passes), len(r.chunks), r.bytes
	row.Samples = s.passes
	row.NS, row.MinNS, row.MaxNS = medianAndRange(s.passes)
	row.ProcessNS, _, _ = medianAndRange(s.process)
	if s.peerOp != "" {
		row.Name = r.report.Peer.Name
	} else {
		row.Clock = threadClockKind
	}
	if s.task != nil && (row.Op == "marshal" || row.Op == "edit") {
		row.Bytes = int64(s.want) // what was written
	}
	if row.NS > 0 {
		row.BytesPerS = int64(float64(row.Bytes) / float64(row.Chunks) / row.NS.Seconds())
	}
	return row
}

// compare sets ratios and goals of our rows.
func (r *nbtRun) compare() {
	full := r.report.Sample.Full == r.report.Sample.Chunks
	for i := range r.report.Rows {
		row := &r.report.Rows[i]
		if row.Name != "strata" {
			continue
		}
		switch row.Op {
		case "walk":
			if full {
				row.GoalNS = NBTWalkGoal
			}
		case "skip":
			if full {
				row.GoalNS = NBTSkipGoal
			}
		case "unmarshal":
			if r.compareTo(row, row.Form) && row.Form == "typed" {
				row.Goal = NBTUnmarshalGoal
			}
		case "marshal":
			if r.compareTo(row, "any") {
				row.Goal = NBTMarshalGoal
			}
		}
	}
}

// compareTo sets the ratios to the peer's row of the same op and that form, if
// there is one.
func (r *nbtRun) compareTo(row *NBTRow, form string) bool {
	if r.report.Peer == nil {
		return false
	}
	ref := r.report.Row(r.report.Peer.Name, row.Op, form)
	if ref == nil {
		return false
	}
	row.Reference, row.ReferenceForm = ref.Name, ref.Form
	row.Ratio, row.MinRatio = quotient(row.NS, ref.NS), quotient(row.MinNS, ref.MinNS)
	return true
}
