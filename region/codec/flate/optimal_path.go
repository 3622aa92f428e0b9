package flate

// A step is a way to go on from a position: what it and all after it costs,
// then its length, then its distance, in 32, 16 and 16 bits. The least step
// is the cheapest, and among equals the shortest. The parts can be added up,
// and the least be found without a branch.
type step uint64

const (
	stepCost   = 32
	stepLength = 16
	costMask   = step(1<<32-1) << stepCost
)

// cheapest sets the step to take at each position of the segment seg, which
// begins at start in the source, under the models of the blocks. A match that
// reaches into the next block belongs to the one in which it begins.
func (p *optimalParser) cheapest(seg []byte, start int, blocks []*cell, fine bool) {
	end := len(seg)
	p.steps[end] = 0
	for k := len(blocks) - 1; k >= 0; k-- {
		from := blocks[k].start - start
		if fine {
			p.everyLength(seg, from, end, &p.models[k])
		} else {
			p.everyCode(seg, from, end, &p.models[k])
		}
		end = from
	}
}

// everyLength sets the steps of the positions from to end, last first. It
// weighs all lengths that the matches offer, each at its nearest distance.
func (p *optimalParser) everyLength(seg []byte, from, end int, model *costModel) {
	steps := p.steps[:len(seg)+1]
	for i := end - 1; i >= from; i-- {
		least := model.literal[seg[i]] + steps[i+1]&costMask
		length := minMatch
		for _, m := range p.matches[p.first[i]:p.first[i+1]] {
			base := model.dist[distCode(m.dist)&31] + step(m.dist)
			costs := model.length[length : int(m.length)+1]
			after := steps[i+length:]
			after = after[:len(costs)]
			for k, c := range costs {
				least = min(least, base+c+after[k]&costMask)
			}
			length = int(m.length) + 1
		}
		steps[i] = least
	}
}

// everyCode is everyLength in less time: of the lengths that have a code in
// common it weighs only the greatest, which nearly always leads furthest.
func (p *optimalParser) everyCode(seg []byte, from, end int, model *costModel) {
	steps := p.steps[:len(seg)+1]
	for i := end - 1; i >= from; i-- {
		least := model.literal[seg[i]] + steps[i+1]&costMask
		code := 0
		for _, m := range p.matches[p.first[i]:p.first[i+1]] {
			base := model.dist[distCode(m.dist)&31] + step(m.dist)
			after := steps[i : i+int(m.length)+1]
			last := int(lengthCode[m.length])
			for ; code < last; code++ {
				length := lengthEnd[code&31]
				least = min(least, base+model.length[length]+after[length]&costMask)
			}
			least = min(least, base+model.length[m.length]+after[m.length]&costMask)
			if m.length == lengthEnd[last] {
				code++
			}
		}
		steps[i] = least
	}
}

// lengthEnd is the greatest length of each length code.
var lengthEnd [32]uint16

func init() {
	for code := range lengthExtra[:28] {
		lengthEnd[code] = lengthBase[code+1] - 1
	}
	lengthEnd[28] = maxMatch
}

// follow appends the sequences of the steps to seqs.
func (p *optimalParser) follow(seqs []sequence) []sequence {
	n := len(p.first) - 1
	run := 0
	for i := 0; i < n; {
		s := p.steps[i]
		length, dist := uint16(s>>stepLength), uint16(s)
		if length > 1 {
			seqs = append(seqs, sequence{uint32(i - run), length, dist})
			i += int(length)
			run = i
			continue
		}
		i++
		if i-run == maxLiteralRun {
			seqs = append(seqs, sequence{literals: maxLiteralRun})
			run = i
		}
	}
	if run < n {
		seqs = append(seqs, sequence{literals: uint32(n - run)})
	}
	return seqs
}
