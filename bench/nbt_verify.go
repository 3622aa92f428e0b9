package bench

import (
	"bytes"
	"fmt"
	"reflect"

	"strata/nbt"
)

// verifyTape compares a tape with an independent count.
func verifyTape(tape *nbt.Tape, chunk []byte) error {
	tags, size, err := countTags(chunk)
	if err != nil {
		return err
	}
	if tape.Len() != tags || tape.Size() != size {
		return fmt.Errorf("%w: %d entries for %d bytes, not %d for %d", errWrong, tape.Len(), tape.Size(), tags, size)
	}
	return nil
}

// verifyMembers compares what skipping found with what a tape finds.
func verifyMembers(got rootMembers, chunk []byte) error {
	var tape nbt.Tape
	if err := tape.Parse(chunk); err != nil {
		return err
	}
	root := tape.Root()
	for name, got := range map[string]int64{
		"DataVersion": got.dataVersion, "xPos": got.x, "zPos": got.z, "LastUpdate": got.lastUpdate,
	} {
		if want, _ := root.Get(name).Int(); got != want {
			return fmt.Errorf("%w: %s is %d, not %d", errWrong, name, got, want)
		}
	}
	if want, _ := root.Get("Status").Bytes(); !bytes.Equal(got.status, want) {
		return fmt.Errorf("%w: status is %q, not %q", errWrong, got.status, want)
	}
	return nil
}

// verifyAny encodes a decoded chunk again: nothing may be lost.
func verifyAny(v any, chunk []byte) error {
	out, err := nbt.Marshal(v)
	if err != nil {
		return err
	}
	return verifyOutput(out, chunk)
}

// verifyOutput fails unless what a chunk was encoded to again is equal, byte
// for byte or, where its strings or its root's name are not as we write them,
// in value.
func verifyOutput(out, chunk []byte) error {
	if bytes.Equal(out, chunk) {
		return nil
	}
	got, want, err := decodeBoth(out, chunk)
	if err != nil {
		return err
	}
	if !nbt.Equal(got, want) {
		return fmt.Errorf("%w: encoded again it is another document", errWrong)
	}
	return nil
}

// decodeBoth also makes sure that the first is a whole document by the judge's
// count.
func decodeBoth(out, chunk []byte) (got, want any, err error) {
	if _, size, err := countTags(out); err != nil || size != len(out) {
		return nil, nil, fmt.Errorf("%w: %w", errWrong, errNotWhole)
	}
	if got, err = decodeAny(out); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errWrong, err)
	}
	want, err = decodeAny(chunk)
	return got, want, err
}

// verifyTypedOutput fails unless out has all of the chunk that the struct has
// fields for, and nothing that the chunk has not.
func verifyTypedOutput(out, chunk []byte) error {
	got, want, err := decodeBoth(out, chunk)
	if err != nil {
		return err
	}
	if at, ok := within(got, want); !ok {
		return fmt.Errorf("%w: encoded again %s is not what it was", errWrong, at)
	}
	var first, second nbtChunk
	if err := nbt.Unmarshal(chunk, &first); err != nil {
		return err
	}
	if err := nbt.Unmarshal(out, &second); err != nil {
		return err
	}
	// As text, in which nil and empty slices do not differ.
	if !reflect.DeepEqual(first, second) && fmt.Sprint(first) != fmt.Sprint(second) {
		return fmt.Errorf("%w: encoded again it decodes to another chunk", errWrong)
	}
	return nil
}

// within reports whether all in got is in want too, or empty, and where not.
func within(got, want any) (at string, ok bool) {
	switch got := got.(type) {
	case nbt.Compound:
		want, _ := want.(nbt.Compound)
		for _, m := range got {
			other, _ := want.Get(m.Name)
			if at, ok := within(m.Value, other); !ok {
				return "." + m.Name + at, false
			}
		}
		return "", true
	case nbt.List:
		want, _ := want.(nbt.List)
		if len(got.Items) != len(want.Items) {
			return "", false
		}
		for i := range got.Items {
			if at, ok := within(got.Items[i], want.Items[i]); !ok {
				return fmt.Sprintf("[%d]%s", i, at), false
			}
		}
		return "", true
	}
	if want == nil {
		v := reflect.ValueOf(got)
		return "", v.IsZero() || v.Kind() == reflect.Slice && v.Len() == 0
	}
	return "", nbt.Equal(got, want)
}

// verifyEdited fails unless out is the chunk with the two edits of editTask,
// made here on decoded values, and nothing else.
func verifyEdited(out, chunk []byte) error {
	got, want, err := decodeBoth(out, chunk)
	if err != nil {
		return err
	}
	root, ok := want.(nbt.Compound)
	if !ok {
		return errNoCompound
	}
	root.Set("LastUpdate", int64(editedLastUpdate))
	if v, _ := root.Get("sections"); v != nil {
		if sections, _ := v.(nbt.List); len(sections.Items) > 0 {
			to, from := editedSection(len(sections.Items))
			sections.Items[to] = sections.Items[from]
		}
	}
	if expected, err := nbt.Marshal(root); err == nil && bytes.Equal(expected, out) {
		return nil
	}
	if !nbt.Equal(got, root) {
		return fmt.Errorf("%w: edited it is another document", errWrong)
	}
	return nil
}
