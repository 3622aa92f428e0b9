package stream

// The game's own numbers for the pace of chunks.
const (
	firstRate        = 9
	minRate, maxRate = 0.01, 64
	firstBatches     = 1
	maxBatches       = 10
	// patience is how many ticks a client may be silent with as many batches
	// under way as it may have, until it gets another one.
	patience = 20
)

// Pacer says how many chunks a client takes, by what it answers to batches. It
// belongs to one goroutine; NewPacer makes one.
type Pacer struct {
	rate    float64 // chunks a tick
	quota   float64 // chunks that may be sent now
	limit   int     // batches that may be under way
	pending int     // batches that are
	silent  int     // ticks with as many under way as may be
}

// NewPacer returns the pacer of a client that has just joined.
func NewPacer() *Pacer { return &Pacer{rate: firstRate, limit: firstBatches} }

// Tick begins a tick and returns how many chunks may be sent in it, as one
// batch.
func (p *Pacer) Tick() int {
	if p.pending >= p.limit {
		if p.silent++; p.silent < patience {
			return 0
		}
		p.silent = 0
		p.pending = p.limit - 1 // its answer is not waited for any more
	}
	p.quota = min(p.quota+p.rate, max(p.rate, 1))
	return int(p.quota)
}

// Sent notes that a batch of so many chunks, of those that Tick allowed, was
// sent; 0 is no batch.
func (p *Pacer) Sent(chunks int) {
	if chunks <= 0 {
		return
	}
	p.quota -= float64(chunks)
	p.pending++
	p.silent = 0
}

// Answered takes the client's answer to a batch: how many chunks a tick it
// wants, which may be any number. It reports false for an answer to nothing,
// which counts for nothing.
func (p *Pacer) Answered(rate float32) bool {
	if p.pending == 0 {
		return false
	}
	p.pending--
	p.silent = 0
	p.limit = maxBatches
	p.rate = minRate // also for what is no number
	if rate > minRate {
		p.rate = min(float64(rate), maxRate)
	}
	if p.pending == 0 {
		p.quota = 1
	}
	return true
}

// Rate is how many chunks a tick the client takes now.
func (p *Pacer) Rate() float64 { return p.rate }

// Waiting is how many batches the client has not answered.
func (p *Pacer) Waiting() int { return p.pending }
