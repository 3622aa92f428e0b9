package snbt

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"strata/bench/testbed"
)

// The game asks Character.codePointOf, so Java has the last word on names.

// runJava returns what CharacterNames.java says of candidates, and Java's own
// names by code point.
func runJava(t *testing.T, candidates []string) (judged []string, known map[uint32]string) {
	t.Helper()
	java := testbed.Tool(t, "java")
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, java, "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", filepath.Join("testdata", "CharacterNames.java"))
	cmd.Stdin = strings.NewReader(strings.Join(candidates, "\n") + "\n")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("java: %v\n%s", err, &stderr)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	known = make(map[uint32]string, 300_000)
	for lines.Scan() {
		if len(judged) < len(candidates) {
			judged = append(judged, lines.Text())
			continue
		}
		number, name, _ := strings.Cut(lines.Text(), " ")
		code, err := strconv.ParseUint(number, 16, 21)
		if err != nil {
			t.Fatal(err)
		}
		known[uint32(code)] = name
	}
	// Java 11, the first with source files as programs, has Unicode 10.
	if len(judged) != len(candidates) || len(known) < 270_000 {
		t.Fatalf("java judged %d of %d and knows %d names", len(judged), len(candidates), len(known))
	}
	return judged, known
}

// fixedCandidates are names of other standards, and Java's form for characters
// that have a better name.
var fixedCandidates = []string{
	"BELL", "BEL", "ALERT", "NULL", "LINE FEED", "LINE FEED (LF)", "NEW LINE", "INDEX", "DELETE", "PADDING CHARACTER",
	"BASIC LATIN 41", "LATIN 1 SUPPLEMENT 84", "LATIN-1 SUPPLEMENT 84", "LATIN 1 SUPPLEMENT 81", "GREEK 3B1",
	"CJK UNIFIED IDEOGRAPH-4E00", "CJK UNIFIED IDEOGRAPHS-4E00", "CJK UNIFIED IDEOGRAPHS +4E00", "CJK UNIFIED IDEOGRAPHS  4E00",
	"HANGUL SYLLABLE GA", "TANGUT IDEOGRAPH-17000", "PRIVATE USE E000", "SUPPLEMENTARY PRIVATE USE AREA A FFFFE",
	"UNASSIGNED 378", "GREEK 378", "ARABIC PRESENTATION FORMS A FDD0", "SPECIALS FFFF", "", " ", " SPACE ", "4E00",
}

// candidateNames are names and what a slip of the hand makes of them.
func candidateNames(r *rand.Rand, all []string, count int) []string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789- "
	list := slices.Clone(fixedCandidates)
	for len(list) < count {
		name := all[r.IntN(len(all))]
		at := r.IntN(len(name))
		other := letters[r.IntN(len(letters))]
		switch r.IntN(9) {
		case 0:
			name = name[:at] + name[at+1:]
		case 1:
			name = name[:at] + string(other) + name[at:]
		case 2:
			name = name[:at] + string(other) + name[at+1:]
		case 3:
			name = name[:at]
		case 4:
			name = name[at:]
		case 5:
			name = strings.ReplaceAll(name, " ", "-")
		case 6:
			name = strings.ReplaceAll(name, "-", " ")
		case 7:
			space := max(strings.LastIndexByte(name, ' '), strings.LastIndexByte(name, '-'))
			name = name[:space+1] + fmt.Sprintf("%0*X", 4+r.IntN(3), r.IntN(0x110000)>>r.IntN(8))
		case 8:
			name = strings.Repeat(" ", r.IntN(3)) + strings.ToLower(name) + strings.Repeat(" ", r.IntN(3))
		}
		list = append(list, name)
	}
	return list
}

func TestNamesAreThoseOfJava(t *testing.T) {
	all := tableNames(t)
	r := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 0))
	sorted := make([]string, 0, len(all))
	for name := range all {
		sorted = append(sorted, name)
	}
	slices.Sort(sorted)
	candidates := candidateNames(r, sorted, testbed.Runs(t, 20_000))
	judged, known := runJava(t, candidates)
	for code, name := range known {
		if got, ok := all[name]; !ok || got != code {
			t.Errorf("%s is %04X (%t), %04X in Java", name, got, ok, code)
		}
	}
	// An older Java lacks characters, but has no others.
	newer := 0
	for name, code := range all {
		if known[code] == "" {
			newer++
		} else if known[code] != name {
			t.Errorf("%04X is %s, %s in Java", code, name, known[code])
		}
	}
	refused := 0
	for i, candidate := range candidates {
		code, ok := characterNamed(candidate)
		got := "-"
		if ok && known[code] != "" {
			got = strconv.FormatUint(uint64(code), 16)
		}
		if judged[i] == "-" {
			refused++
		}
		if got != judged[i] {
			t.Errorf("%q is %s, %s in Java", candidate, got, judged[i])
		}
	}
	t.Logf("Java knows %d names, %d are newer; it refuses %d of %d candidates", len(known), newer, refused, len(candidates))
	if len(candidates) > 1000 && (refused < len(candidates)/4 || refused > len(candidates)*7/8) {
		t.Error("the candidates are of one kind")
	}
}
