package flate

// search sets the matches of the segment from start and returns its length.
func (p *optimalParser) search(src []byte, start int) int {
	n := len(src) - start
	if n > optimalSegment {
		n = min(n/2, optimalSegment)
	}
	p.matches, p.first = p.matches[:0], p.first[:0]
	skip := 0 // positions left of a match that is taken as it is
	for i := range n {
		p.first = append(p.first, uint32(len(p.matches)))
		if len(p.matches) > cap(p.matches)-maxMatch {
			n = i
			break
		}
		// The tree must see past the end of the segment, for its order has to
		// hold for the positions to come.
		most := min(len(src)-start-i, maxMatch)
		if most < 4 {
			continue
		}
		found := len(p.matches)
		p.matches = p.tree.find(src, start+i, most, min(p.tuning.nice, most), p.tuning.depth, p.matches)
		if skip > 0 {
			skip--
			p.matches = p.matches[:found]
		} else if k := len(p.matches); k > found && int(p.matches[k-1].length) >= p.tuning.nice {
			skip = int(p.matches[k-1].length) - 1
		}
	}
	if len(p.first) == n {
		p.first = append(p.first, uint32(len(p.matches)))
	}
	p.clip(n)
	return n
}

// clip makes the matches before segment position n end there.
func (p *optimalParser) clip(n int) {
	from := max(n-maxMatch, 0)
	kept := p.first[from]
	for i := from; i < n; i++ {
		list := p.matches[p.first[i]:p.first[i+1]]
		p.first[i] = kept
		for _, m := range list {
			if n-i >= minMatch {
				p.matches[kept] = match{min(m.length, uint16(n-i)), m.dist}
				kept++
			}
		}
	}
	p.first[n] = kept
	p.matches = p.matches[:kept]
}

// longest returns the longest match at segment position i.
func (p *optimalParser) longest(i int) match {
	if i+1 >= len(p.first) || p.first[i] == p.first[i+1] {
		return match{}
	}
	return p.matches[p.first[i+1]-1]
}

// lazy appends a lazy parse of the segment, with no match shorter than least,
// to seqs.
func (p *optimalParser) lazy(seqs []sequence, least int) []sequence {
	n := len(p.first) - 1
	run := 0
	for i := 0; i < n; {
		m := p.longest(i)
		next := p.longest(i + 1)
		if int(m.length) < least || m.length == minMatch && m.dist > farShort || next.length != 0 &&
			better(int(m.length), int(m.dist), int(next.length), int(next.dist)) > 2 {
			i++
			if i-run == maxLiteralRun {
				seqs = append(seqs, sequence{literals: maxLiteralRun})
				run = i
			}
			continue
		}
		seqs = append(seqs, sequence{uint32(i - run), m.length, m.dist})
		i += int(m.length)
		run = i
	}
	if run < n {
		seqs = append(seqs, sequence{literals: uint32(n - run)})
	}
	return seqs
}
