package terrain

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"strata/bench/testbed"
)

// digits is the precision of the kernel's reference, in bits.
const digits = 200

func number(v float64) *big.Float { return new(big.Float).SetPrec(digits).SetFloat64(v) }

// exponential is e to the power of v by its series.
func exponential(v *big.Float) *big.Float {
	sum, term := number(1), number(1)
	for k := 1; k < 200; k++ {
		term.Mul(term, v)
		term.Quo(term, number(float64(k)))
		sum.Add(sum, term)
	}
	return sum
}

// The game raises its double e to the power and rounds twice, so the reference
// says too that no weight is so near the middle between two floats that this
// would matter.
func TestKernelHasTheWeightsOfTheGame(t *testing.T) {
	for n, got := range kernel {
		power := number(-float64(4*n+1) / 64)
		want := exponential(power)
		// pow(Math.E, power) is want * (Math.E/e)^power, and Math.E is too small
		// by 5.32e-17 of it.
		off := new(big.Float).Mul(power, number(-5.32e-17))
		want.Add(want, new(big.Float).Mul(want, off))
		float, _ := want.Float32()
		if got != float {
			t.Fatalf("weight %d is %v, want %v", n, got, float)
		}
		for _, factor := range []float64{1 - 1e-13, 1 + 1e-13} {
			moved, _ := new(big.Float).Mul(want, number(factor)).Float32()
			if moved != got {
				t.Fatalf("weight %d is near the middle of two floats", n)
			}
		}
	}
}

func TestKernelIsTakenByDistance(t *testing.T) {
	for x := int32(-12); x < 12; x++ {
		for y := int32(-12); y < 12; y++ {
			for z := int32(-12); z < 12; z++ {
				square := float64(x*x+z*z) + (float64(y)+0.5)*(float64(y)+0.5)
				want := math.Exp(-square / 16)
				if got := float64(kernel[squaresOf(x, y, z)]); math.Abs(got-want) > 1e-7*want {
					t.Fatalf("weight at %d, %d, %d is %v, want %v", x, y, z, got, want)
				}
			}
		}
	}
	if largest := squaresOf(-12, -12, -12); int(largest) != len(kernel)-1 {
		t.Errorf("the last weight is %d, want %d", len(kernel)-1, largest)
	}
}

func TestBeardIsGroundBelowAndAirAbove(t *testing.T) {
	for above := int32(-12); above < 12; above++ {
		got := beard(3, above, -2, above)
		height := float64(above) + 0.5
		distance := math.Sqrt((9 + 4 + height*height) / 2)
		want := -height / distance / 2 * math.Exp(-(13+height*height)/16)
		// The game's inverse root is off by up to 0.18 %.
		if math.Abs(got-want) > 0.0018*math.Abs(want) {
			t.Errorf("%d above: %v, want about %v", above, got, want)
		}
		if beard(-2, above, 3, above) != got {
			t.Errorf("%d above: x and z differ", above)
		}
	}
	for _, out := range [][3]int32{{12, 0, 0}, {-13, 0, 0}, {0, 12, 0}, {0, -13, 0}, {0, 0, 12}, {0, 0, -13}} {
		if beard(out[0], out[1], out[2], out[1]) != 0 {
			t.Errorf("the kernel reaches %v", out)
		}
	}
	if beard(-12, -12, -12, -12) == 0 {
		t.Error("the kernel does not reach its lowest corner")
	}
}

func TestInverseRootIsTheGames(t *testing.T) {
	// Computed apart, in Python.
	for v, want := range map[float64]float64{
		1: 0.9983081427118145, 4: 0.4991540713559072, 0.125: 2.8277186031818555, 7.625: 0.36189641833998165,
	} {
		if got := fastInverseRoot(v); got != want {
			t.Errorf("inverse root of %v is %v, want %v", v, got, want)
		}
		if math.Abs(fastInverseRoot(v)*math.Sqrt(v)-1) > 0.0018 {
			t.Errorf("inverse root of %v is far off", v)
		}
	}
}

func TestBuryFallsFromOneOverSixBlocks(t *testing.T) {
	for _, test := range []struct{ x, y, z, want float64 }{
		{0, 0, 0, 1}, {6, 0, 0, 0}, {0, 0, 7, 0}, {0, 3, 0, 0.5}, {3, 0, 4, 1 - 5.0/6},
	} {
		if got := bury(test.x, test.y, test.z); math.Abs(got-test.want) > 1e-15 {
			t.Errorf("%v: %v", test, got)
		}
	}
}

func randomPiece(random *rand.Rand) Piece {
	x, y, z := int32(random.IntN(80)-32), int32(random.IntN(80)-40), int32(random.IntN(80)-32)
	return Piece{
		Box:         Box{x, y, z, x + int32(random.IntN(20)), y + int32(random.IntN(20)), z + int32(random.IntN(20))},
		Adaptation:  Adaptation(random.IntN(5)),
		GroundDelta: int32(random.IntN(6) - 1),
	}
}

func TestPiecesAddNothingOutsideTheirReach(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	inside := 0
	for range 200 {
		p := randomPiece(random)
		reach := p.reach()
		for range 2000 {
			x, y, z := int32(random.IntN(120)-50), int32(random.IntN(120)-60), int32(random.IntN(120)-50)
			value := p.at(x, y, z)
			switch {
			case value == 0:
			case reach.meets(&Box{x, y, z, x, y, z}):
				inside++
			default:
				t.Fatalf("%+v adds %v at %d, %d, %d", p, value, x, y, z)
			}
		}
	}
	if inside < 1000 {
		t.Errorf("only %d blocks in reach", inside)
	}
}

func TestBeardMovesAndTurnsWithItsPieces(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 2))
	var here, there, turned Beard
	here.Begin(0, 0)
	there.Begin(-5, 3)
	turned.Begin(0, 0)
	for range 40 {
		p := randomPiece(random)
		moved, swapped := p, p
		moved.Box.MinX, moved.Box.MaxX = p.Box.MinX-80, p.Box.MaxX-80
		moved.Box.MinZ, moved.Box.MaxZ = p.Box.MinZ+48, p.Box.MaxZ+48
		swapped.Box.MinX, swapped.Box.MaxX, swapped.Box.MinZ, swapped.Box.MaxZ = p.Box.MinZ, p.Box.MaxZ, p.Box.MinX, p.Box.MaxX
		if here.Add(p) != there.Add(moved) {
			t.Fatal("a moved piece is near, or is not")
		}
		turned.Add(swapped)
		j := Junction{int32(random.IntN(60) - 20), int32(random.IntN(40)), int32(random.IntN(60) - 20)}
		here.Join(j)
		there.Join(Junction{j.X - 80, j.GroundY, j.Z + 48})
		turned.Join(Junction{j.Z, j.GroundY, j.X})
	}
	changed := 0
	for range 20000 {
		x, y, z := random.IntN(16), random.IntN(100)-50, random.IntN(16)
		want := here.At(x, y, z)
		if got := there.At(x-80, y, z+48); got != want {
			t.Fatalf("moved: %v, want %v", got, want)
		}
		if got := turned.At(z, y, x); math.Abs(got-want) > 1e-12 {
			t.Fatalf("turned: %v, want %v", got, want)
		}
		if want != 0 {
			changed++
			box := Box{int32(x), int32(y), int32(z), int32(x), int32(y), int32(z)}
			if !here.Touches(box) {
				t.Fatalf("%d, %d, %d is not touched", x, y, z)
			}
		}
	}
	if changed < 1000 {
		t.Errorf("only %d blocks changed", changed)
	}
}

func TestColumnsOfABeardAreItsBlocks(t *testing.T) {
	random := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 3))
	for range 50 {
		beard := randomBeard(random, -3, 7)
		x, y, z := -48+int32(random.IntN(8)), int32(random.IntN(100)-50), 112+int32(random.IntN(8))
		box := Box{x, y, z, x + 7, y + 15, z + 7}
		touched := beard.Touches(box)
		for x := box.MinX; x <= box.MaxX; x++ {
			for z := box.MinZ; z <= box.MaxZ; z++ {
				var got [16]float64
				beard.Column(int(x), int(y), int(z), got[:])
				for i := range got {
					want := beard.At(int(x), int(y)+i, int(z))
					if got[i] != want || want != 0 && !touched {
						t.Fatalf("%d, %d, %d: %v, want %v (touched %t)", x, int(y)+i, z, got[i], want, touched)
					}
				}
			}
		}
	}
}

func TestPiecesAreNearUpToTwelveBlocks(t *testing.T) {
	var b Beard
	for _, test := range []struct {
		x    int32 // of the box, one block wide
		near bool
	}{{-13, false}, {-12, true}, {27, true}, {28, false}} {
		b.Begin(0, 0)
		if near := b.Add(Piece{Box: Box{test.x, 0, 5, test.x, 9, 5}, Adaptation: Bury}); near != test.near || b.Empty() == near {
			t.Errorf("piece at %d: %t", test.x, near)
		}
	}
	for _, test := range []struct {
		x    int32
		near bool
	}{{-12, false}, {-11, true}, {26, true}, {27, false}} {
		b.Begin(0, 0)
		b.Join(Junction{X: test.x, GroundY: 3, Z: 3})
		if b.Empty() == test.near {
			t.Errorf("junction at %d", test.x)
		}
	}
	b.Begin(0, 0)
	if !b.Add(Piece{}) || !b.Empty() {
		t.Error("a piece without adaptation counts")
	}
}

func TestAdaptationsHaveTheNamesOfTheData(t *testing.T) {
	for a := NoAdaptation; a <= Encapsulate; a++ {
		if got, err := ParseAdaptation(a.String()); got != a || err != nil {
			t.Errorf("%v: %v, %v", a, got, err)
		}
	}
	if _, err := ParseAdaptation("beard"); err == nil {
		t.Error("an unknown adaptation is taken")
	}
	if got := Adaptation(9).String(); got != "Adaptation(9)" {
		t.Error(got)
	}
}
