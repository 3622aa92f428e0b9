package sine_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"os/exec"
	"testing"

	"strata/bench/testbed"
	"strata/pregen/worldgen/sine"
)

// digest is that of the table's bits, big-endian, as Java 17 computes it.
const digest = "87a67a39fff59636acb04edcda4ef622831037291f11fb61586c57596771dac2"

func TestTableIsJavas(t *testing.T) {
	var bits []byte
	for _, v := range sine.Get() {
		bits = binary.BigEndian.AppendUint32(bits, math.Float32bits(v))
	}
	sum := sha256.Sum256(bits)
	if got := hex.EncodeToString(sum[:]); got != digest {
		t.Errorf("the table's digest is %s, want %s", got, digest)
	}
}

func TestEntriesAreWhatJavaComputes(t *testing.T) {
	java := testbed.Tool(t, "java")
	testbed.Tool(t, "javac") // the installation must be able to compile the file
	cmd := exec.Command(java, "testdata/Sines.java")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("run Sines.java: %v\n%s", err, &stderr)
	}
	if len(out) != 8*sine.Entries {
		t.Fatalf("%d bytes of Java", len(out))
	}
	wrong := 0
	for i, ours := range sine.Get() {
		usual, strict := binary.BigEndian.Uint32(out[8*i:]), binary.BigEndian.Uint32(out[8*i+4:])
		if bits := math.Float32bits(ours); bits != usual || bits != strict {
			if wrong++; wrong < 10 {
				t.Errorf("entry %d: %#x, Java's %#x, strictly %#x", i, bits, usual, strict)
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d entries are not Java's", wrong)
	}
}

func TestAnglesOfAllTurnsHaveAnEntry(t *testing.T) {
	table := sine.Get()
	for _, c := range []struct {
		angle    float64
		sin, cos float64
	}{
		{0, 0, 1},
		{math.Pi / 2, 1, 0},
		{-math.Pi / 2, -1, 0},
		{1, math.Sin(1), math.Cos(1)},
		{-1, math.Sin(-1), math.Cos(-1)},
		{1000, math.Sin(1000), math.Cos(1000)},
		{-1000, math.Sin(-1000), math.Cos(-1000)},
	} {
		if got := float64(table.Sin(c.angle)); math.Abs(got-c.sin) > 1e-4 {
			t.Errorf("the sine of %v is %v, want about %v", c.angle, got, c.sin)
		}
		if got := float64(table.Cos(c.angle)); math.Abs(got-c.cos) > 1e-4 {
			t.Errorf("the cosine of %v is %v, want about %v", c.angle, got, c.cos)
		}
	}
	for _, wild := range []float64{math.NaN(), math.Inf(1), 1e300} {
		table.Sin(wild) // some entry, no panic
		table.Cos(wild)
	}
}

func BenchmarkSin(b *testing.B) {
	table, angle := sine.Get(), 0.0
	for b.Loop() {
		angle += float64(table.Sin(angle)) + 0.7
	}
}
