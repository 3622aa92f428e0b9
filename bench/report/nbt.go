package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"strata/bench"
)

// WriteNBT writes a report of NBT into dir, as [WriteCompression] does.
func WriteNBT(dir string, r *bench.NBTReport, o Options) error {
	d, err := nbtDocument(r)
	if err != nil {
		return err
	}
	return d.write(dir, o)
}

const nbtMethod = "Times are CPU time of the measuring thread for a chunk, the median over passes over all chunks; “process” is the CPU time of all threads, with that of the garbage collector. " +
	"Rows take turns pass by pass, and garbage is collected before each pass. Allocations are those of the pass with the fewest. " +
	"walk indexes a whole chunk, skip looks for five members of its root, unmarshal and marshal go to and from a struct (typed) or whatever there is (any), edit replaces LastUpdate and one section. " +
	"Results were checked before their time counted."

func nbtDocument(r *bench.NBTReport) (*document, error) {
	s := r.Sample
	d := &document{
		title: "NBT of chunks: " + s.Source, environment: environmentText(r.Environment, r.Load, ""),
		method: nbtMethod, warnings: r.Warnings, result: r,
	}
	text := fmt.Sprintf("%s chunks of %s B and %s tags each.", whole(float64(s.Chunks)), whole(s.Bytes), whole(s.Tags))
	d.addPeer(r.Peer)
	if r.Peer != nil {
		text += " " + peerText(r.Peer)
	}
	rows := section{Title: "Operations", Text: text, Table: table{
		Left:  3,
		Heads: []string{"op", "form", "name", "a chunk", "spread", "process", "ratio", "to", "allocations", "memory, B", "MB/s", "passes"},
	}}
	var writes, reads []timing
	for i := range r.Rows {
		row := &r.Rows[i]
		to := strings.TrimSpace(row.Reference + " " + row.ReferenceForm)
		rows.Table.Rows = append(rows.Table.Rows, []string{
			row.Op, row.Form, row.Name, duration(row.NS), percent(row.NS, row.MinNS, row.MaxNS), duration(row.ProcessNS),
			factor(row.Ratio), to, short(row.Allocs), whole(row.AllocBytes), perSecond(row.BytesPerS), strconv.Itoa(row.Passes),
		})
		t := timing{
			label: strings.Join(strings.Fields(row.Op+" "+row.Form+" "+row.Name), " "), name: row.Name,
			ns: row.NS, least: row.MinNS, most: row.MaxNS, ratio: row.Ratio, reference: to,
		}
		switch row.Op {
		case "unmarshal", "marshal":
			writes = append(writes, t)
		default:
			reads = append(reads, t)
		}
		d.addGoal(strings.TrimSpace(row.Op+" "+row.Form), row.Ratio, row.Goal, to, row.NS, row.GoalNS)
	}
	d.sections = append(d.sections, rows)
	return d, d.draw(
		func() (*chart, error) {
			return timeChart("values", "Decoding and encoding a chunk", "a chunk, CPU", writes)
		},
		func() (*chart, error) {
			return timeChart("tape", "Indexing, looking up and editing a chunk", "a chunk, CPU", reads)
		},
	)
}

// addPeer says what a peer has refused.
func (d *document) addPeer(p *bench.PeerInfo) {
	if p != nil {
		for _, text := range p.LeftOut {
			d.leftOut = append(d.leftOut, p.Name+": "+text)
		}
	}
}

func peerText(p *bench.PeerInfo) string {
	return p.String() + "."
}

// addGoal says whether a goal is met, if one is set.
func (d *document) addGoal(what string, ratio, goal float64, to string, ns, goalNS time.Duration) {
	if goal == 0 && goalNS == 0 {
		return
	}
	d.points.Title, d.points.Intro = "Goals", "What is wanted of it:"
	if goal > 0 {
		d.points.Items = append(d.points.Items, point{what + ":", fmt.Sprintf("%s of %s, goal %s: %s.", factor(ratio), to, short(goal), met(ratio <= goal))})
	}
	if goalNS > 0 {
		d.points.Items = append(d.points.Items, point{what + ":", fmt.Sprintf("%s, goal %s: %s.", duration(ns), duration(goalNS), met(ns <= goalNS))})
	}
}

func met(is bool) string {
	if is {
		return "met"
	}
	return "missed"
}

func ratio(a, b time.Duration) float64 {
	if b <= 0 {
		return 0
	}
	return float64(a) / float64(b)
}
