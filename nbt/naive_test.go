package nbt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// naiveReader reads NBT as its description says, one tag at a time, with no
// regard to speed: the judge of the tape. It prints what it reads.
type naiveReader struct {
	data []byte
	pos  int
	out  []byte
	tags int
}

var errNaive = errors.New("damaged")

func (r *naiveReader) take(n int) ([]byte, error) {
	if n < 0 || n > len(r.data)-r.pos {
		return nil, errNaive
	}
	r.pos += n
	return r.data[r.pos-n : r.pos], nil
}

func (r *naiveReader) count(size int) (int, error) {
	b, err := r.take(size)
	if err != nil {
		return 0, err
	}
	if size == 2 {
		return int(binary.BigEndian.Uint16(b)), nil
	}
	n := int(int32(binary.BigEndian.Uint32(b)))
	if n < 0 {
		return 0, errNaive
	}
	return n, nil
}

func (r *naiveReader) value(kind byte, depth int) error {
	if kind == 9 || kind == 10 {
		if depth == 0 {
			return errNaive
		}
	}
	switch kind {
	case 1, 2, 3, 4, 5, 6:
		b, err := r.take([]int{0, 1, 2, 4, 8, 4, 8}[kind])
		r.out = fmt.Appendf(r.out, "%d:%x ", kind, b)
		return err
	case 7, 11, 12:
		n, err := r.count(4)
		if err != nil {
			return err
		}
		b, err := r.take(n * map[byte]int{7: 1, 11: 4, 12: 8}[kind])
		r.out = fmt.Appendf(r.out, "%d:%x ", kind, b)
		return err
	case 8:
		n, err := r.count(2)
		if err != nil {
			return err
		}
		b, err := r.take(n)
		r.out = fmt.Appendf(r.out, "8:%x ", b)
		return err
	case 9:
		b, err := r.take(1)
		if err != nil {
			return err
		}
		n, err := r.count(4)
		if err != nil || b[0] > 12 || b[0] == 0 && n > 0 {
			return errNaive
		}
		r.out = fmt.Appendf(r.out, "[%d %d ", b[0], n)
		for range n {
			if b[0] > 6 {
				r.tags++
			}
			if err := r.value(b[0], depth-1); err != nil {
				return err
			}
		}
		r.out = append(r.out, ']')
		return nil
	case 10:
		r.out = append(r.out, '{')
		for {
			kind, err := r.take(1)
			if err != nil {
				return err
			}
			if kind[0] == 0 {
				r.out = append(r.out, '}')
				return nil
			}
			n, err := r.count(2)
			if err != nil {
				return err
			}
			name, err := r.take(n)
			if err != nil {
				return err
			}
			r.out = fmt.Appendf(r.out, "%x=", name)
			r.tags++
			if err := r.value(kind[0], depth-1); err != nil {
				return err
			}
		}
	}
	return errNaive
}

// document reads a rooted document.
func (r *naiveReader) document(depth int) error {
	kind, err := r.take(1)
	if err != nil {
		return err
	}
	n, err := r.count(2)
	if err != nil || kind[0] == 0 {
		return errNaive
	}
	if _, err := r.take(n); err != nil {
		return err
	}
	r.tags++
	return r.value(kind[0], depth)
}

// printTag prints a tag through the tape as naiveReader does.
func printTag(dst []byte, t Tag) []byte {
	switch t.Type() {
	case TypeByteArray:
		b, _ := t.ByteArray()
		return fmt.Appendf(dst, "7:%x ", b)
	case TypeIntArray:
		a, _ := t.IntArray()
		return fmt.Appendf(dst, "11:%x ", a.Bytes())
	case TypeLongArray:
		a, _ := t.LongArray()
		return fmt.Appendf(dst, "12:%x ", a.Bytes())
	case TypeString:
		b, _ := t.Bytes()
		return fmt.Appendf(dst, "8:%x ", b)
	case TypeList:
		dst = fmt.Appendf(dst, "[%d %d ", t.Elem(), t.Len())
		for i, e := range t.Elements() {
			if i < 3 && e != t.At(i) {
				panic("At and Elements differ")
			}
			dst = printTag(dst, e)
		}
		return append(dst, ']')
	case TypeCompound:
		dst = append(dst, '{')
		var names [][]byte
		for name, m := range t.Members() {
			dst = printTag(fmt.Appendf(dst, "%x=", name), m)
			names = append(names, name)
		}
		if n := t.Len(); n != len(names) {
			panic(fmt.Sprint("Len ", n, " of ", len(names), " members"))
		}
		for i, name := range names {
			last := !slices.ContainsFunc(names[i+1:], func(n []byte) bool { return text(n) == text(name) })
			if got := t.Get(text(name)); last && (!got.Exists() || got.tape.entries[got.index].off != got.off-3-uint32(len(got.name()))) {
				panic("Get does not find a member")
			}
		}
		return append(dst, '}')
	default:
		return fmt.Appendf(dst, "%d:%x ", t.Type(), t.Raw().Data)
	}
}

func (t Tag) name() []byte { return memberName(t.tape.data, int(t.tape.entries[t.index].off)) }
