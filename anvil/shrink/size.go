package shrink

import (
	"fmt"
	"slices"

	"strata/region"
)

// largest is the sum of the n largest sizes.
func largest(sizes []int64, n int) (sum int64) {
	slices.Sort(sizes)
	for _, size := range sizes[max(0, len(sizes)-n):] {
		sum += size
	}
	return sum
}

func bytesText(n int64) string {
	if n < 10<<20 {
		return fmt.Sprintf("%d KiB", (n+1023)>>10)
	}
	return fmt.Sprintf("%d MiB", (n+1<<20-1)>>20)
}

// isExternal reports whether a stream of n bytes goes to a file of its own.
func isExternal(n int) bool {
	return n+region.RecordHeaderBytes > region.SectorBytes && region.RecordSectors(n) == 1
}

// recordBytes are what a record takes: its payload with length and scheme, and its
// sectors, where an external one takes its own file and a sector for the stub.
func recordBytes(n int) (payload, sectors int64) {
	payload = int64(n) + region.RecordHeaderBytes
	sectors = int64(region.RecordSectors(n)) * region.SectorBytes
	if isExternal(n) {
		sectors += int64(n)
	}
	return payload, sectors
}
