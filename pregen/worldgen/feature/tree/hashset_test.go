package tree

import (
	"math/rand/v2"
	"slices"
	"testing"

	"strata/bench/testbed"
)

func setOf(places ...pos) *hashSet {
	s := new(hashSet)
	s.reset()
	for _, p := range places {
		s.add(p)
	}
	return s
}

// x makes places along x, whose hash is x as long as it is small.
func x(values ...int) (list []pos) {
	for _, v := range values {
		list = append(list, pos{x: v})
	}
	return list
}

// The orders of these are worked out by hand from the rules of Java's HashMap:
// hash (y + 31 z) 31 + x, its high half folded on the low one, 16 buckets that
// double when more than three quarters are full.
func TestHashSetListsInTheOrderOfJava(t *testing.T) {
	for _, c := range []struct {
		name      string
		add, want []pos
	}{
		{"by bucket", []pos{{0, 1, 0}, {5, 0, 0}, {0, 0, 0}, {3, 0, 0}}, []pos{{0, 0, 0}, {3, 0, 0}, {5, 0, 0}, {0, 1, 0}}},
		{"in a bucket by age", []pos{{0, 0, 1}, {1, 0, 0}, {17, 0, 0}}, []pos{{0, 0, 1}, {1, 0, 0}, {17, 0, 0}}},
		{"once", []pos{{2, 0, 0}, {1, 0, 0}, {2, 0, 0}}, []pos{{1, 0, 0}, {2, 0, 0}}},
		// -1 folds to ffff0000, bucket 0; -31 is ffffffe1 and folds to ffff001e, bucket 14.
		{"negative", []pos{{0, -1, 0}, {1, 0, 0}, {-1, 0, 0}}, []pos{{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}}},
		// 12 places fit into 16 buckets, where 16 comes behind 0; with the 13th
		// there are 32, and it has a bucket of its own.
		{"before it grows", x(16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), x(16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)},
		{"grown", x(16, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), x(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 16)},
		// Nine in a bucket of few grow the table to 32, then 64: all multiples of
		// 64 share a bucket still.
		{"a long bucket grows the table", x(0, 64, 128, 192, 256, 320, 384, 448, 512, 32, 16), x(0, 64, 128, 192, 256, 320, 384, 448, 512, 16, 32)},
	} {
		if got := setOf(c.add...).list(nil); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// filled is a set of 30 places in 64 buckets, the first of which is empty.
func filled() *hashSet {
	s := setOf()
	for i := range 30 {
		s.add(pos{x: i + 1})
	}
	return s
}

// Nine nodes of a bucket become a red-black tree: of nine that come in rising
// order the fourth is the root, which is moved to the front. A new one follows
// the node it is attached to.
func TestLongBucketsAreOrderedAsTrees(t *testing.T) {
	s := filled()
	for _, n := range []int{1, 2, 3, 4, 5, 6, 7, 8, 10} {
		s.add(pos{x: 64 * n})
	}
	list := func() (values []int) {
		for _, p := range s.list(nil) {
			if p.x%64 == 0 {
				values = append(values, p.x/64)
			}
		}
		return values
	}
	if want := []int{4, 1, 2, 3, 5, 6, 7, 8, 10}; !slices.Equal(list(), want) {
		t.Fatalf("nine: %v, want %v", list(), want)
	}
	// 9 goes to the left of 10: it stands behind it in the list.
	s.add(pos{x: 64 * 9})
	if want := []int{4, 1, 2, 3, 5, 6, 7, 8, 10, 9}; !slices.Equal(list(), want) {
		t.Errorf("ten: %v, want %v", list(), want)
	}
	// 0 goes to the left of 1.
	s.add(pos{})
	if want := []int{4, 1, 0, 2, 3, 5, 6, 7, 8, 10, 9}; !slices.Equal(list(), want) {
		t.Errorf("eleven: %v, want %v", list(), want)
	}
	// The first leaves; that it was the root does not move another to the front.
	if got := s.take(); got != (pos{x: 256}) {
		t.Errorf("took %v", got)
	}
	if want := []int{1, 0, 2, 3, 5, 6, 7, 8, 10, 9}; !slices.Equal(list(), want) {
		t.Errorf("without the root: %v, want %v", list(), want)
	}
}

// depth checks the red-black tree at a node, and returns its black height.
func (s *hashSet) depth(t *testing.T, n int32) int {
	if n == none {
		return 0
	}
	at := s.nodes[n]
	for _, child := range []int32{at.left, at.right} {
		if child != none && s.nodes[child].parent != n {
			t.Fatalf("%v is not the parent of its child", at.at)
		}
		if at.red && s.isRed(child) {
			t.Fatalf("%v is red as its child", at.at)
		}
	}
	if at.left != none && int32(s.nodes[at.left].hash) > int32(at.hash) || at.right != none && int32(s.nodes[at.right].hash) < int32(at.hash) {
		t.Fatalf("%v is not between its children", at.at)
	}
	left, right := s.depth(t, at.left), s.depth(t, at.right)
	if left != right {
		t.Fatalf("%v has %d black nodes on the left, %d on the right", at.at, left, right)
	}
	if at.red {
		return left
	}
	return left + 1
}

// check looks at all buckets: lists and trees of the same nodes.
func (s *hashSet) check(t *testing.T) (treed int) {
	count := 0
	for bucket, head := range s.heads {
		length := 0
		for n := head; n != none; n = s.nodes[n].next {
			length++
			if int(s.nodes[n].hash)&(len(s.heads)-1) != bucket {
				t.Fatalf("%v is in bucket %d", s.nodes[n].at, bucket)
			}
		}
		count += length
		if head == none || !s.nodes[head].treed {
			continue
		}
		treed++
		root := s.rootOf(head)
		if s.nodes[root].red {
			t.Fatal("a root is red")
		}
		s.depth(t, root)
		if n := s.size(root); n != length {
			t.Fatalf("a tree has %d nodes, its list %d", n, length)
		}
	}
	if count != s.count {
		t.Fatalf("%d in buckets, count %d", count, s.count)
	}
	return treed
}

func (s *hashSet) size(n int32) int {
	if n == none {
		return 0
	}
	return 1 + s.size(s.nodes[n].left) + s.size(s.nodes[n].right)
}

func TestHashSetKeepsItsShape(t *testing.T) {
	seed := testbed.Seed(t)
	r := rand.New(rand.NewPCG(uint64(seed), 1))
	treed := 0
	for range 30 {
		s := setOf()
		want := map[pos]bool{}
		for range 400 {
			p := pos{x: r.IntN(40) * (1 << r.IntN(9)), y: r.IntN(3), z: r.IntN(3)}
			if r.IntN(3) > 0 || len(want) == 0 {
				s.add(p)
				want[p] = true
			} else {
				first := s.list(nil)[0]
				if got := s.take(); got != first || !want[got] {
					t.Fatalf("took %v, the first is %v", got, first)
				}
				delete(want, first)
			}
			if s.has(p) != want[p] || s.count != len(want) {
				t.Fatalf("has %v: %v; %d places, want %d", p, s.has(p), s.count, len(want))
			}
			treed += s.check(t)
		}
		before := s.list(nil)
		for _, p := range before {
			if got := s.take(); got != p {
				t.Fatalf("took %v, want %v", got, p)
			}
			s.check(t)
		}
	}
	if treed == 0 {
		t.Error("no bucket was a tree")
	}
}
