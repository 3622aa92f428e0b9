package stream

import (
	"math"
	"testing"
)

func TestThePaceBeginsAsTheGamesDoes(t *testing.T) {
	p := NewPacer()
	if n := p.Tick(); n != 9 {
		t.Fatalf("first batch of %d, want 9", n)
	}
	p.Sent(9)
	if n := p.Tick(); n != 0 {
		t.Fatalf("%d chunks before the first answer", n)
	}
	if !p.Answered(20) || p.Rate() != 20 || p.Waiting() != 0 {
		t.Fatalf("rate %v, %d waiting", p.Rate(), p.Waiting())
	}
	for batch := range 10 {
		if n := p.Tick(); n != 20 {
			t.Fatalf("batch %d of %d, want 20", batch, n)
		}
		p.Sent(20)
	}
	if n := p.Tick(); n != 0 {
		t.Errorf("%d chunks with ten batches under way", n)
	}
}

func TestForeignNumbersAreHeldInBounds(t *testing.T) {
	for _, c := range []struct {
		says float32
		want float64
	}{
		{float32(math.NaN()), 0.01}, {float32(math.Inf(1)), 64}, {float32(math.Inf(-1)), 0.01}, {-5, 0.01}, {0, 0.01},
		{1e-30, 0.01}, {math.MaxFloat32, 64}, {64.5, 64}, {4.5, 4.5},
	} {
		p := NewPacer()
		p.Tick()
		p.Sent(9)
		if p.Answered(c.says); p.Rate() != c.want {
			t.Errorf("%v: rate %v, want %v", c.says, p.Rate(), c.want)
		}
		// Who answers at once gets a chunk each tick at least.
		sent := 0
		for range 1000 {
			n := p.Tick()
			p.Sent(n)
			sent += n
			p.Answered(c.says)
		}
		if want := 1000 * int(max(c.want, 1)); sent != want {
			t.Errorf("%v: %d chunks in 1,000 ticks, want %d", c.says, sent, want)
		}
	}
}

func TestAnswersToNothingCountForNothing(t *testing.T) {
	p := NewPacer()
	if p.Answered(64) || p.Rate() != 9 {
		t.Errorf("rate %v after an answer to nothing", p.Rate())
	}
	p.Tick()
	p.Sent(9)
	if p.Tick(); p.Waiting() != 1 {
		t.Errorf("%d batches under way, want 1", p.Waiting())
	}
}

func TestAClientThatDoesNotAnswerIsServedSlowly(t *testing.T) {
	p := NewPacer()
	batches := 0
	for range 200 { // ten seconds
		if n := p.Tick(); n > 0 {
			p.Sent(n)
			batches++
		}
	}
	if batches < 9 || batches > 11 {
		t.Errorf("%d batches in ten seconds, want one each second", batches)
	}
}
