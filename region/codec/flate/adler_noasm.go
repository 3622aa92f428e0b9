//go:build purego || !amd64

package flate

func adlerUpdate(sum uint32, p []byte) uint32 { return adlerGeneric(sum, p) }
