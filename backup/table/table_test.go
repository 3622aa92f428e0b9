package table

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"strata/bench/testbed"
)

func rowsOf(m map[string]string) (rows []Row) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		rows = append(rows, Row{k, m[k]})
	}
	return rows
}

// TestTablesComeBackThroughChains changes tables for long and reads every state
// again, whole ones and those in between.
func TestTablesComeBackThroughChains(t *testing.T) {
	rnd := rand.New(rand.NewPCG(uint64(testbed.Seed(t)), 1))
	for _, keys := range []int{0, 1, 3, 100, 1024} {
		t.Run(fmt.Sprint(keys), func(t *testing.T) {
			pieces := map[ID][]byte{}
			get := func(id ID) ([]byte, error) { return pieces[id], nil }
			now := map[string]string{}
			for range keys {
				now[fmt.Sprintf("%04x", rnd.IntN(1<<16))] = fmt.Sprint(rnd.IntN(1000))
			}
			var base *Table
			longest := 0
			for step := range 150 {
				for range rnd.IntN(4) {
					switch k := fmt.Sprintf("%04x", rnd.IntN(1<<16)); rnd.IntN(3) {
					case 0:
						delete(now, k)
						for k := range now {
							delete(now, k)
							break
						}
					default:
						now[k] = fmt.Sprint(rnd.IntN(1000))
					}
				}
				rows := rowsOf(now)
				data, err := Encode(rows, base)
				if err != nil {
					t.Fatal(err)
				}
				if data == nil {
					continue
				}
				id := sha256.Sum256(append([]byte(fmt.Sprint(step)), data...))
				pieces[id] = data
				if base, err = Load(id, get); err != nil {
					t.Fatal(err)
				}
				longest = max(longest, len(base.Chain))
				if diff := cmp.Diff(rows, base.Rows); diff != "" {
					t.Fatalf("step %d: %s", step, diff)
				}
			}
			if keys == 1024 && (longest < 10 || longest > 100) {
				t.Errorf("the longest chain has %d pieces", longest)
			}
		})
	}
}

func TestSmallChangesMakeSmallPieces(t *testing.T) {
	m := map[string]string{}
	for i := range 1024 {
		m[fmt.Sprintf("%02x", i)] = fmt.Sprintf("%041d", i)
	}
	full, err := Encode(rowsOf(m), nil)
	if err != nil {
		t.Fatal(err)
	}
	base, err := Load(ID{1}, func(ID) ([]byte, error) { return full, nil })
	if err != nil {
		t.Fatal(err)
	}
	m["07"] = fmt.Sprintf("%041d", 5)
	delta, err := Encode(rowsOf(m), base)
	if err != nil {
		t.Fatal(err)
	}
	if len(delta) > 1100 {
		t.Errorf("one changed row of %d bytes makes a piece of %d", len(full), len(delta))
	}
	same, err := Encode(base.Rows, base)
	if same != nil || err != nil {
		t.Errorf("no change makes a piece of %d bytes, %v", len(same), err)
	}
}

func FuzzLoad(f *testing.F) {
	rows := []Row{{"a", "1"}, {"ab", "22"}, {"b", ""}}
	full, _ := Encode(rows, nil)
	f.Add(full)
	base := &Table{Rows: append(slices.Clone(rows), Row{"c", "3"}, Row{"d", "4"}), ID: ID{7}, Chain: []ID{{7}}}
	delta, _ := Encode(append(slices.Clone(base.Rows), Row{"e", "9"}), base)
	f.Add(delta)
	f.Fuzz(func(t *testing.T, b []byte) {
		table, err := Load(ID{}, func(id ID) ([]byte, error) {
			if id == (ID{}) {
				return b, nil
			}
			return full, nil
		})
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatal(err)
			}
			return
		}
		again, err := Encode(table.Rows, nil)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Load(ID{1}, func(ID) ([]byte, error) { return again, nil })
		if err != nil || !cmp.Equal(back.Rows, table.Rows) {
			t.Fatalf("%v, %v", err, cmp.Diff(table.Rows, back.Rows))
		}
	})
}
