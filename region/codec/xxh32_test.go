package codec

import "testing"

// The expected values are published test vectors of XXH32; the golden LZ4
// streams check longer inputs with lz4-java's seed.
func TestXXH32MatchesPublishedVectors(t *testing.T) {
	tests := []struct {
		in   string
		seed uint32
		want uint32
	}{
		{"", 0, 0x02CC5D05},
		{"", 0x9E3779B1, 0x36B78AE7},
		{"a", 0, 0x550D7456},
		{"abc", 0, 0x32D153FF},
		{"Nobody inspects the spammish repetition", 0, 0xE2293B2F},
	}
	for _, tt := range tests {
		if got := xxh32([]byte(tt.in), tt.seed); got != tt.want {
			t.Errorf("xxh32(%q, %#x) = %#x, want %#x", tt.in, tt.seed, got, tt.want)
		}
	}
}
