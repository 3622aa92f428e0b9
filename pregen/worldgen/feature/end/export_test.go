package end

// SpikesOf returns x, z, radius, height of the spikes of a seed, and 1 for those
// in a cage.
func SpikesOf(seed int64) (list [][5]int) {
	for _, s := range spikesOf(seed) {
		list = append(list, [5]int{s.x, s.z, s.radius, s.height, int(flag(s.guarded))})
	}
	return list
}
