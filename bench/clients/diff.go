package clients

import "fmt"

// DiffDocuments returns the first difference between two documents, as Diff,
// or "" when there is none.
func DiffDocuments(got, want Document) string {
	if got.Name != want.Name {
		return fmt.Sprintf("root name %q, want %q", got.Name, want.Name)
	}
	return Diff(got.Root, want.Root)
}

// Diff returns the first difference between two values, with its path, or ""
// when they mean the same. A compound has no order: its entries are compared
// by name, and entries of one name in their order. All NaNs of one width are
// the same, since JavaScript has but one; all else is compared exactly, -0
// and the element types of empty lists too.
func Diff(got, want Value) string { return diff("root", got, want) }

func diff(path string, got, want Value) string {
	switch {
	case got.Type != want.Type:
		return fmt.Sprintf("%s: type %s, want %s", path, got.Type, want.Type)
	case got.isNaN() && want.isNaN():
		return ""
	case got.Int != want.Int:
		return fmt.Sprintf("%s: %s %d, want %d", path, got.Type, got.Int, want.Int)
	case got.Bits != want.Bits:
		return fmt.Sprintf("%s: %s of bits %x, want %x", path, got.Type, got.Bits, want.Bits)
	case got.Text != want.Text:
		return fmt.Sprintf("%s: %+.200q, want %+.200q", path, got.Text, want.Text)
	case got.Of != want.Of:
		return fmt.Sprintf("%s: list of %s, want of %s", path, got.Of, want.Of)
	case len(got.Numbers) != len(want.Numbers):
		return fmt.Sprintf("%s: %d elements, want %d", path, len(got.Numbers), len(want.Numbers))
	case len(got.Items) != len(want.Items):
		return fmt.Sprintf("%s: %d items, want %d", path, len(got.Items), len(want.Items))
	}
	for i := range want.Numbers {
		if got.Numbers[i] != want.Numbers[i] {
			return fmt.Sprintf("%s[%d]: %d, want %d", path, i, got.Numbers[i], want.Numbers[i])
		}
	}
	for i := range want.Items {
		if d := diff(fmt.Sprintf("%s[%d]", path, i), got.Items[i], want.Items[i]); d != "" {
			return d
		}
	}
	return diffEntries(path, got.Entries, want.Entries)
}

func diffEntries(path string, got, want []Entry) string {
	left := make(map[Text][]Value, len(got))
	for _, entry := range got {
		left[entry.Name] = append(left[entry.Name], entry.Value)
	}
	for _, entry := range want {
		at := fmt.Sprintf("%s.%+q", path, entry.Name)
		same := left[entry.Name]
		if len(same) == 0 {
			return at + ": missing"
		}
		if d := diff(at, same[0], entry.Value); d != "" {
			return d
		}
		left[entry.Name] = same[1:]
	}
	for _, entry := range got {
		if len(left[entry.Name]) > 0 {
			return fmt.Sprintf("%s.%+q: not wanted", path, entry.Name)
		}
	}
	return ""
}
