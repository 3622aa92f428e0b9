package rng_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/rng"
)

var (
	javaBounds = []int32{1, 2, 3, 10, 16, 256, 262, 1000, 1 << 30, 1<<30 + 1, math.MaxInt32}
	javaNames  = []string{"", "a", "minecraft:terrain", "octave_-10", "\u00fcber \u20ac", "\U0001f600 x"}
)

// draws is the output of testdata/Draws.java, read in order.
type draws struct {
	t     *testing.T
	lines []string
}

func runDraws(t *testing.T, seeds []int64) *draws {
	t.Helper()
	java := testbed.Tool(t, "java")
	testbed.Tool(t, "javac") // the installation must be able to compile the file
	args := []string{"testdata/Draws.java"}
	for _, seed := range seeds {
		args = append(args, strconv.FormatInt(seed, 10))
	}
	cmd := exec.Command(java, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("run Draws.java: %v\n%s", err, &stderr)
	}
	return &draws{t, strings.Split(strings.TrimSpace(string(out)), "\n")}
}

// next returns the next value, which must be of the kind.
func (d *draws) next(kind string) int64 {
	d.t.Helper()
	if len(d.lines) == 0 {
		d.t.Fatalf("no more lines where %q was to come", kind)
	}
	got, text, _ := strings.Cut(d.lines[0], " ")
	value, err := strconv.ParseInt(text, 10, 64)
	if got != kind || err != nil {
		d.t.Fatalf("line %q where %q was to come (%v)", d.lines[0], kind, err)
	}
	d.lines = d.lines[1:]
	return value
}

// check compares our value with the next one.
func (d *draws) check(kind string, ours int64) {
	d.t.Helper()
	if theirs := d.next(kind); theirs != ours {
		d.t.Fatalf("%s: ours %d, Java's %d", kind, ours, theirs)
	}
}

func TestSourcesDrawWhatJavaDraws(t *testing.T) {
	seed := testbed.Seed(t)
	random := rand.New(rand.NewPCG(uint64(seed), 1))
	seeds := []int64{0, 1, -1, math.MinInt64, math.MaxInt64, 0x5DEECE66D, 6854583389113976052}
	for range 40 {
		seeds = append(seeds, int64(random.Uint64()))
	}
	d := runDraws(t, seeds)
	for _, seed := range seeds {
		d.check("seed", seed)
		checkLegacy(d, seed)
		checkXoroshiro(d, seed)
		source := rng.NewLegacy(seed)
		list := make([]int64, 100)
		for i := range list {
			list[i] = int64(i)
		}
		rng.Shuffle(&source, list)
		for _, v := range list {
			d.check("shuffle", v)
		}
	}
	checkLogs(t, d)
	for _, name := range javaNames {
		d.check("hash", int64(rng.StringHash(name)))
	}
	if len(d.lines) != 0 {
		t.Fatalf("%d lines of Java's were not compared", len(d.lines))
	}
}

func checkLegacy(d *draws, seed int64) {
	legacy, worldgen := rng.NewLegacy(seed), rng.NewWorldgenLegacy(seed)
	both := func(a, b int64) int64 {
		d.t.Helper()
		if a != b {
			d.t.Fatalf("seed %d: Legacy draws %d and Worldgen over it %d", seed, a, b)
		}
		return a
	}
	flag := func(b bool) int64 {
		if b {
			return 1
		}
		return 0
	}
	for range 40 {
		d.check("int", both(int64(legacy.Int()), int64(worldgen.Int())))
		for _, bound := range javaBounds {
			d.check("intn", both(int64(legacy.IntN(bound)), int64(worldgen.IntN(bound))))
		}
		d.check("long", both(legacy.Long(), worldgen.Long()))
		d.check("bool", both(flag(legacy.Bool()), flag(worldgen.Bool())))
		d.check("float", both(bits32(legacy.Float()), bits32(worldgen.Float())))
		d.check("double", both(bits64(legacy.Double()), bits64(worldgen.Double())))
	}
}

// checkXoroshiro compares seeding, steps, doubles and floats; Java's bounded
// draws of this generator have another rule than the game's.
func checkXoroshiro(d *draws, seed int64) {
	x := rng.NewXoroshiro(seed)
	for range 200 {
		d.check("xoro", x.Long())
	}
	for range 40 {
		d.check("xorodouble", bits64(x.Double()))
		d.check("xorofloat", bits32(x.Float()))
	}
}

func bits32(f float32) int64 { return int64(int32(math.Float32bits(f))) }
func bits64(f float64) int64 { return int64(math.Float64bits(f)) }

// checkLogs compares Gaussians with java.util.Random's, which takes
// StrictMath.log: it may be one unit in the last place off the correctly
// rounded logarithm, and so a product of it a few.
func checkLogs(t *testing.T, d *draws) {
	source := rng.NewLegacy(42)
	var strict, plain, all int
	for range 20000 {
		v := source.Double()
		ours := bits64(rng.LogUnit(v))
		all++
		if off := d.next("strictlog") - ours; off != 0 {
			strict++
			if off < -1 || off > 1 {
				t.Fatalf("log %v: %d units off StrictMath.log", v, off)
			}
		}
		if off := d.next("log") - ours; off != 0 {
			plain++
			if off < -1 || off > 1 {
				t.Fatalf("log %v: %d units off Math.log", v, off)
			}
		}
	}
	t.Logf("of %d logarithms %d differ from StrictMath.log and %d from Math.log, by one unit", all, strict, plain)
	if strict*5 > all || plain*200 > all {
		t.Errorf("of %d logarithms %d differ from StrictMath.log and %d from Math.log: too many", all, strict, plain)
	}
	gaussians := rng.NewLegacy(7)
	for i := range 2000 {
		if off := d.next("gaussian") - bits64(gaussians.Gaussian()); off < -3 || off > 3 {
			t.Fatalf("Gaussian %d: %d units off java.util.Random", i, off)
		}
	}
}
