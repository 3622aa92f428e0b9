package climate

import "math"

// FindSpawn returns the block at which the game looks for the world's spawn
// first, from the climate alone. target is the spawn_target of the dimension's
// noise settings, read by ParsePoints; without any it is 0, 0.
//
// The search goes around in rings, out to 2,048 blocks from the origin in steps
// of 512, and then out to 512 from the best block so far in steps of 32. The
// best is that of the nearest climate, and of equal ones the nearest to the
// origin: 2,048 blocks weigh as much as the smallest step of a climate. Depth
// does not count.
func FindSpawn(target []Row, sampler Sampler) (blockX, blockZ int) {
	s := spawnSearch{target: target, sampler: sampler, heights: make([]int, 1), out: make([][Parameters]float64, 1)}
	s.fitness = s.rate(0, 0)
	s.rings(2048, 512)
	s.rings(512, 32)
	return s.x, s.z
}

// spawnWeight is what a unit of squared climate weighs, in squared blocks.
const spawnWeight = 2048 * 2048

// spawnSearch is the best block so far.
type spawnSearch struct {
	target  []Row
	sampler Sampler
	heights []int // quarter cell 0
	out     [][Parameters]float64

	x, z    int
	fitness int64 // least is best
}

// rings tries blocks on rings around the best block.
func (s *spawnSearch) rings(reach, step float32) {
	centreX, centreZ := s.x, s.z
	eachRingBlock(reach, step, func(x, z int) {
		x, z = centreX+x, centreZ+z
		if fitness := s.rate(x, z); fitness < s.fitness {
			s.x, s.z, s.fitness = x, z, fitness
		}
	})
}

// eachRingBlock calls f with blocks about a step apart, ring by ring. Angles are
// in single precision, sines are not.
func eachRingBlock(reach, step float32, f func(x, z int)) {
	for radius := step; radius <= reach; radius += step {
		for angle := float32(0); float64(angle) <= 2*math.Pi; angle += step / radius {
			f(int(sine(float64(angle))*float64(radius)), int(cosine(float64(angle))*float64(radius)))
		}
	}
}

// rate is the fitness of a block. Like Java's it wraps around.
func (s *spawnSearch) rate(x, z int) int64 {
	s.sampler.Climate(x>>2, z>>2, s.heights, s.out)
	p := PointOf(&s.out[0])
	p[Depth] = 0
	least := int64(math.MaxInt64)
	for i := range s.target {
		least = min(least, s.target[i].Distance(&p))
	}
	return least*spawnWeight + int64(x)*int64(x) + int64(z)*int64(z)
}

// sine is that of an angle of at most a turn and a bit, to 12 digits: enough,
// since only the whole blocks of its products count, and a test shows that none
// is so near to the next block. Package math is not the same on all machines.
func sine(angle float64) float64 { return taylor(angle, angle, 1) }

// cosine is like sine.
func cosine(angle float64) float64 { return taylor(angle, 1, 0) }

// taylor sums the terms of a sine or cosine from the one of a power on.
func taylor(angle, term float64, power int) float64 {
	sum := term
	for range 24 {
		term *= -angle * angle / float64((power+1)*(power+2))
		power += 2
		sum += float64(term)
	}
	return sum
}
