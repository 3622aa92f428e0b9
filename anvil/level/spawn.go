package level

import "strata/nbt"

// Spawn is where new players appear.
type Spawn struct {
	Dimension string // "minecraft:overworld" if it is ""
	X, Y, Z   int32  // a block
	Yaw       float32
	Pitch     float32
}

// overworld is the dimension of worlds that do not name it.
const overworld = "minecraft:overworld"

// Spawn returns the spawn: of the compound spawn (since 1.21.9) or of SpawnX,
// SpawnY, SpawnZ and SpawnAngle.
func (l *Level) Spawn() (Spawn, bool) {
	if s := l.data.Get("spawn"); s.Type() == nbt.TypeCompound {
		return newSpawn(s)
	}
	x, ok := l.data.Get("SpawnX").Int()
	y, yok := l.data.Get("SpawnY").Int()
	z, zok := l.data.Get("SpawnZ").Int()
	yaw, _ := l.data.Get("SpawnAngle").Float()
	return Spawn{overworld, int32(x), int32(y), int32(z), float32(yaw), 0}, ok && yok && zok
}

func newSpawn(s nbt.Tag) (Spawn, bool) {
	pos, ok := s.Get("pos").IntArray()
	if !ok || pos.Len() != 3 {
		return Spawn{}, false
	}
	yaw, _ := s.Get("yaw").Float()
	pitch, _ := s.Get("pitch").Float()
	out := Spawn{text(s.Get("dimension")), pos.At(0), pos.At(1), pos.At(2), float32(yaw), float32(pitch)}
	if out.Dimension == "" {
		out.Dimension = overworld
	}
	return out, true
}

// form is the spawn as 26.1 and later write it.
func (s Spawn) form() any {
	if s.Dimension == "" {
		s.Dimension = overworld
	}
	return struct {
		Pos       [3]int32 `nbt:"pos"`
		Pitch     float32  `nbt:"pitch"`
		Yaw       float32  `nbt:"yaw"`
		Dimension string   `nbt:"dimension"`
	}{[3]int32{s.X, s.Y, s.Z}, s.Pitch, s.Yaw, s.Dimension}
}

// oldForm is the spawn as games before 1.21.9 write it, which have neither its
// dimension nor its pitch.
func (s Spawn) oldForm() any {
	return struct {
		X     int32   `nbt:"SpawnX"`
		Y     int32   `nbt:"SpawnY"`
		Z     int32   `nbt:"SpawnZ"`
		Angle float32 `nbt:"SpawnAngle"`
	}{s.X, s.Y, s.Z, s.Yaw}
}
