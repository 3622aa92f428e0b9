package noise_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"strata/bench/testbed"
)

// fusedOpcode matches instructions of Go's assembly listings that multiply
// and add with one rounding: FMADDD, FNMSUBS ... of arm64 and VFMADD231SD ...
// of amd64.
var fusedOpcode = regexp.MustCompile(`\t(V?FN?M(?:ADD|SUB)\w*)\t`)

// listings is how often the compiler may fuse: for arm64 always, for amd64
// from v3 on.
var listings = map[string][]string{
	"arm64":    {"GOOS=linux", "GOARCH=arm64"},
	"amd64 v3": {"GOOS=linux", "GOARCH=amd64", "GOAMD64=v3"},
}

// fusedLines builds the packages with a listing and returns its lines that
// have a fused instruction, and how many floating-point lines there were.
func fusedLines(t *testing.T, dir string, env []string, packages ...string) (fused []string, products int) {
	t.Helper()
	args := append([]string{"build", "-gcflags=-S"}, packages...)
	cmd := exec.Command(testbed.Tool(t, "go"), args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	cmd.Env = append(cmd.Env, "CGO_ENABLED=0", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%.2000s", strings.Join(args, " "), err, out)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		line := lines.Text()
		if fusedOpcode.MatchString(line) {
			fused = append(fused, strings.TrimSpace(line))
		}
		if strings.Contains(line, "\tFMULD\t") || strings.Contains(line, "\tMULSD\t") || strings.Contains(line, "\tVMULSD\t") {
			products++
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return fused, products
}

// The game's arithmetic rounds each product before it is added.
func TestWorldGenerationHasNoFusedArithmetic(t *testing.T) {
	if testing.Short() {
		t.Skip("builds all of world generation for two machines")
	}
	for name, env := range listings {
		t.Run(name, func(t *testing.T) {
			fused, products := fusedLines(t, "", env, "strata/pregen/worldgen/...")
			for i, line := range fused {
				if i == 20 {
					t.Errorf("and %d more", len(fused)-i)
					break
				}
				t.Error(line)
			}
			t.Logf("%d products", products)
			if products < 50 {
				t.Errorf("the listing has only %d products: is it one?", products)
			}
		})
	}
}

func TestFusedArithmeticWouldBeSeen(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a package for two machines")
	}
	dir := t.TempDir()
	files := map[string]string{
		"go.mod": "module fused\n\ngo 1.26\n",
		"fused.go": `package fused

func Double(t, a, b float64) float64 { return a + t*b }

func Less(t, a, b float64) float64 { return a - t*b }

func Single(t, a, b float32) float32 { return t*b - a }

func Rounded(t, a, b float64) float64 { return a + float64(t*b) }
`,
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, env := range listings {
		t.Run(name, func(t *testing.T) {
			fused, _ := fusedLines(t, dir, env, ".")
			seen := fmt.Sprint(fused)
			for line := 3; line <= 7; line += 2 {
				// amd64 has no rule for a difference; sums show the listing.
				if want := fmt.Sprintf("fused.go:%d)", line); !strings.Contains(seen, want) && (line == 3 || name == "arm64") {
					t.Errorf("the listing shows no fused instruction of %s\n%s", want, seen)
				}
			}
			if strings.Contains(seen, "fused.go:9)") {
				t.Errorf("a rounded product is fused\n%s", seen)
			}
		})
	}
}
