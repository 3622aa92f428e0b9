package command

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"strata/anvil/block"
	"strata/anvil/registry"
	"strata/nbt"
	"strata/server/item"
	"strata/server/protocol"
	"strata/server/text"
)

// fake is a small server in memory: a world of 32x32 columns around the
// origin, of stone below y 0, in three dimensions.
type fake struct {
	players  []*fakePlayer
	entities []*fakeEntity
	blocks   map[string]block.State
	data     map[string]nbt.Raw
	rules    map[string]int32
	log      []string // what was done beside the state below
	admin    []string

	difficulty, idle int
	mode             GameMode
	clocks           map[string]Clock
	ops, white       []Profile
	whiteOn          bool
	bans, ipBans     []Ban
	autosave         bool
	frozen           bool
	saveErr          error
}

func newFake() *fake {
	f := &fake{
		blocks: map[string]block.State{}, data: map[string]nbt.Raw{}, rules: map[string]int32{}, autosave: true,
		difficulty: 1, clocks: map[string]Clock{"minecraft:overworld": {Rate: 1}, "minecraft:the_end": {Rate: 1}},
	}
	for _, r := range registry.GameRules(native) {
		f.rules[r.Name] = r.Default
	}
	return f
}

func (f *fake) host() *Host {
	return &Host{
		Entities: fakeEntities{f}, Rules: fakeRules{f}, Worlds: fakeWorlds{f}, Settings: fakeSettings{f}, Clocks: fakeClocks{f},
		Chat: fakeChat{f}, Access: fakeAccess{f}, Effects: fakeEffects{f}, Life: fakeLife{f}, Ticks: fakeTicks{f},
		Locator: fakeLocator{}, Pregen: fakePregen{f}, Backup: fakeBackup{}, Memory: fakeMemory{},
		Log: func(c text.Component) { f.admin = append(f.admin, c.String()) },
	}
}

func (f *fake) did(format string, args ...any) { f.log = append(f.log, fmt.Sprintf(format, args...)) }

func uuidOf(name string) (u protocol.UUID) {
	copy(u[:], name)
	return u
}

func (f *fake) join(name string, level int, at Vec3) *fakePlayer {
	p := &fakePlayer{fakeEntity: fakeEntity{f: f, kind: "minecraft:player", name: name, place: Place{"minecraft:overworld", at, Rotation{}}}, level: level}
	f.players = append(f.players, p)
	return p
}

func (f *fake) spawn(kind, name string, at Vec3, tags ...string) *fakeEntity {
	e := &fakeEntity{f: f, kind: "minecraft:" + kind, name: name, place: Place{"minecraft:overworld", at, Rotation{}}, tags: tags}
	f.entities = append(f.entities, e)
	return e
}

type fakeEntity struct {
	f          *fake
	kind, name string
	place      Place
	tags       []string
}

func (e *fakeEntity) UUID() protocol.UUID                 { return uuidOf(e.name) }
func (e *fakeEntity) Type() string                        { return e.kind }
func (e *fakeEntity) Name() string                        { return e.name }
func (e *fakeEntity) Display() text.Component             { return text.Plain(e.name) }
func (e *fakeEntity) Place() Place                        { return e.place }
func (e *fakeEntity) Size() (width, height, eyes float64) { return 0.6, 1.8, 1.62 }
func (e *fakeEntity) Tags() []string                      { return e.tags }
func (e *fakeEntity) Kill()                               { e.f.did("kill %s", e.name) }
func (e *fakeEntity) Teleport(to Place) bool {
	e.place = to
	e.f.did("%s at %s %g %g %g facing %g %g", e.name, strings.TrimPrefix(to.Dimension, "minecraft:"),
		to.Pos.X, to.Pos.Y, to.Pos.Z, to.Rotation.Yaw, to.Rotation.Pitch)
	return true
}

type fakePlayer struct {
	fakeEntity
	level          int
	mode           GameMode
	levels, points int
	items          []item.Stack
	got            []string
}

func (p *fakePlayer) Send(c text.Component) { p.got = append(p.got, c.String()) }
func (p *fakePlayer) OpLevel() int          { return p.level }
func (p *fakePlayer) Address() string       { return "10.0.0.1" }
func (p *fakePlayer) GameMode() GameMode    { return p.mode }
func (p *fakePlayer) SetGameMode(m GameMode) bool {
	changed := p.mode != m
	p.mode = m
	return changed
}
func (p *fakePlayer) Experience() (levels, points int) { return p.levels, p.points }
func (p *fakePlayer) SetLevels(n int)                  { p.levels = n }
func (p *fakePlayer) SetPoints(n int)                  { p.points = n }
func (p *fakePlayer) AddLevels(n int)                  { p.levels += n }
func (p *fakePlayer) AddPoints(n int)                  { p.points += n }
func (p *fakePlayer) Give(i item.Stack) {
	p.items = append(p.items, i)
	p.f.did("%s gets %d %s with %d", p.name, i.Count, i.Name(), len(i.Changes()))
}
func (p *fakePlayer) Clear(match func(item.Stack) bool, limit int) int {
	n := 0
	for i := range p.items {
		if !match(p.items[i]) {
			continue
		}
		take := int(p.items[i].Count)
		if limit > 0 {
			take = min(take, limit-n)
		}
		n += take
		if limit != 0 {
			p.items[i].Count -= int32(take)
		}
	}
	p.items = slices.DeleteFunc(p.items, func(i item.Stack) bool { return i.Count == 0 })
	return n
}
func (p *fakePlayer) SetSlot(slot int, stack item.Stack) bool {
	p.f.did("%s slot %d = %d %s", p.name, slot, stack.Count, stack.Name())
	return slot < 41
}
func (p *fakePlayer) Title(t Title) {
	p.f.did("%s title %d %q %d %d %d", p.name, t.Kind, t.Text.String(), t.FadeIn, t.Stay, t.FadeOut)
}
func (p *fakePlayer) SetSpawn(dimension string, pos BlockPos, r Rotation) {
	p.f.did("%s spawns %s %d %d %d %g", p.name, dimension, pos.X, pos.Y, pos.Z, r.Yaw)
}
func (p *fakePlayer) Transfer(host string, port int) { p.f.did("%s to %s:%d", p.name, host, port) }
func (p *fakePlayer) Disconnect(why text.Component)  { p.f.did("%s leaves: %s", p.name, why) }

type fakeEntities struct{ *fake }

func (f fakeEntities) Players() []Player {
	var list []Player
	for _, p := range f.players {
		list = append(list, p)
	}
	return list
}
func (f fakeEntities) MaxPlayers() int { return 20 }
func (f fakeEntities) All(visit func(Entity) bool) {
	for _, p := range f.players {
		if !visit(p) {
			return
		}
	}
	for _, e := range f.entities {
		if !visit(e) {
			return
		}
	}
}
func (f fakeEntities) Summon(kind string, at Place, _ nbt.Raw) (Entity, bool) {
	f.did("summon %s %g %g %g", kind, at.Pos.X, at.Pos.Y, at.Pos.Z)
	return &fakeEntity{f: f.fake, kind: kind, name: "Pig", place: at}, true
}

type fakeRules struct{ *fake }

func (f fakeRules) Rule(name string) int32       { return f.rules[name] }
func (f fakeRules) SetRule(name string, v int32) { f.rules[name] = v }

type fakeWorlds struct{ *fake }

func (fakeWorlds) Dimensions() []string {
	return []string{"minecraft:overworld", "minecraft:the_nether", "minecraft:the_end"}
}
func (fakeWorlds) Height(string) (low, high int32) { return -64, 320 }

func key(dimension string, p BlockPos) string {
	return fmt.Sprintf("%s %d %d %d", strings.TrimPrefix(dimension, "minecraft:"), p.X, p.Y, p.Z)
}
func (f fakeWorlds) Block(dimension string, p BlockPos) (block.State, bool) {
	if p.X < -256 || p.X > 255 || p.Z < -256 || p.Z > 255 || p.Y < -64 || p.Y >= 320 {
		return 0, false
	}
	if s, ok := f.blocks[key(dimension, p)]; ok {
		return s, true
	}
	if p.Y < 0 {
		return block.MustParse("minecraft:stone"), true
	}
	return block.Air.Default(), true
}
func (f fakeWorlds) BlockData(dimension string, p BlockPos) (nbt.Raw, bool) {
	raw, ok := f.data[key(dimension, p)]
	return raw, ok
}
func (f fakeWorlds) SetBlock(dimension string, p BlockPos, s block.State, data nbt.Raw, how SetMode) bool {
	old, ok := f.Block(dimension, p)
	if !ok || old == s && !data.Exists() {
		return false
	}
	f.blocks[key(dimension, p)] = s
	if delete(f.data, key(dimension, p)); data.Exists() {
		f.data[key(dimension, p)] = data
	}
	if how != SetReplace {
		f.did("set %d at %d %d %d", how, p.X, p.Y, p.Z)
	}
	return true
}
func (f fakeWorlds) SetSlot(dimension string, p BlockPos, slot int, stack item.Stack) (done, container bool) {
	s, _ := f.Block(dimension, p)
	if s.Block().Name() != "minecraft:chest" {
		return false, false
	}
	f.did("chest slot %d = %d %s", slot, stack.Count, stack.Name())
	return slot < 27, true
}
func (fakeWorlds) Biome(string, BlockPos) (string, bool) { return "minecraft:plains", true }
func (fakeWorlds) Top(_, _ string, _, _ int32) (int32, bool) {
	return 0, true
}

type fakeSettings struct{ *fake }

func (f fakeSettings) Difficulty() int           { return f.difficulty }
func (f fakeSettings) SetDifficulty(n int)       { f.difficulty = n }
func (f fakeSettings) DefaultGameMode() GameMode { return f.mode }
func (f fakeSettings) SetDefaultGameMode(m GameMode) int {
	f.mode = m
	return 0
}
func (f fakeSettings) SetWeather(w Weather, ticks int32) { f.did("weather %d for %d", w, ticks) }
func (f fakeSettings) Seed() int64                       { return 1234 }
func (f fakeSettings) SetWorldSpawn(dimension string, p BlockPos, r Rotation) {
	f.did("world spawn %s %d %d %d %g %g", dimension, p.X, p.Y, p.Z, r.Yaw, r.Pitch)
}
func (f fakeSettings) SetIdleTimeout(n int) { f.idle = n }

type fakeClocks struct{ *fake }

func (fakeClocks) GameTime() int64 { return 777 }
func (f fakeClocks) Clock(name string) (Clock, bool) {
	c, ok := f.clocks[name]
	return c, ok
}
func (f fakeClocks) SetClock(name string, c Clock) {
	f.clocks[name] = c
	f.did("clock %s %d %g %v", name, c.Ticks, c.Rate, c.Paused)
}

type fakeChat struct{ *fake }

func (f fakeChat) Say(kind string, from, message text.Component, target *text.Component, to Player) {
	line := fmt.Sprintf("%s %s: %s", kind, from, message)
	if target != nil {
		line += " for " + target.String()
	}
	if to != nil {
		line += " to " + to.Name()
	}
	f.did("%s", line)
}

type fakeAccess struct{ *fake }

func (f fakeAccess) Lookup(name string) (Profile, bool) {
	return Profile{uuidOf(name), name}, name != "" && len(name) <= 16 && !strings.Contains(name, "?")
}
func change(list *[]Profile, p Profile, in bool) bool {
	had := slices.Contains(*list, p)
	if in && !had {
		*list = append(*list, p)
	}
	if !in && had {
		*list = slices.DeleteFunc(*list, func(q Profile) bool { return q == p })
	}
	return had != in
}
func (f fakeAccess) Ops() []Profile                 { return f.ops }
func (f fakeAccess) Op(p Profile) bool              { return change(&f.ops, p, true) }
func (f fakeAccess) Deop(p Profile) bool            { return change(&f.ops, p, false) }
func (f fakeAccess) Whitelist() []Profile           { return f.white }
func (f fakeAccess) WhitelistOn() bool              { return f.whiteOn }
func (f fakeAccess) SetWhitelist(on bool)           { f.whiteOn = on }
func (f fakeAccess) WhitelistAdd(p Profile) bool    { return change(&f.white, p, true) }
func (f fakeAccess) WhitelistRemove(p Profile) bool { return change(&f.white, p, false) }
func (f fakeAccess) ReloadWhitelist() error         { return nil }
func (f fakeAccess) Bans() []Ban                    { return f.bans }
func (f fakeAccess) AddressBans() []Ban             { return f.ipBans }
func (f fakeAccess) Ban(b Ban) bool {
	f.bans = append(f.bans, b)
	return len(f.bans) == 1
}
func (f fakeAccess) Pardon(Profile) bool {
	had := len(f.bans) > 0
	f.bans = nil
	return had
}
func (f fakeAccess) BanAddress(b Ban) bool {
	f.ipBans = append(f.ipBans, b)
	return len(f.ipBans) == 1
}
func (f fakeAccess) PardonAddress(string) bool {
	had := len(f.ipBans) > 0
	f.ipBans = nil
	return had
}

type fakeEffects struct{ *fake }

func (f fakeEffects) Give(e Entity, x Effect) bool {
	f.did("%s %s %d %d %v", e.Name(), x.Name, x.Ticks, x.Amplifier, x.Particles)
	return true
}
func (f fakeEffects) Remove(Entity, string) bool { return false }
func (f fakeEffects) Clear(e Entity) bool {
	f.did("no effects of %s", e.Name())
	return true
}

type fakeLife struct{ *fake }

func (f fakeLife) Save(flush bool, done func(error)) {
	f.did("save %v", flush)
	done(f.saveErr)
}
func (f fakeLife) Autosave() bool      { return f.autosave }
func (f fakeLife) SetAutosave(on bool) { f.autosave = on }
func (f fakeLife) Stop()               { f.did("stop") }

type fakeTicks struct{ *fake }

func (f fakeTicks) TickStatus() TickStatus {
	return TickStatus{Rate: 20, Frozen: f.frozen, Mean: 2 * time.Millisecond, P50: time.Millisecond, P95: 3 * time.Millisecond,
		P99: 4 * time.Millisecond, Sample: 100, TPS: [3]float64{20, 19.5, 19}}
}
func (f fakeTicks) SetTickRate(r float32) { f.did("rate %g", r) }
func (f fakeTicks) SetFrozen(on bool)     { f.frozen = on }
func (f fakeTicks) Step(n int32) bool {
	f.did("step %d", n)
	return f.frozen
}
func (f fakeTicks) Sprint(n int32, done func(int32, time.Duration)) bool {
	if done != nil {
		done(n, time.Second)
	}
	return false
}

type fakeLocator struct{}

func (fakeLocator) Biome(_ string, _ BlockPos, match func(string) bool, done func(string, BlockPos, bool)) {
	if match("minecraft:plains") {
		done("minecraft:plains", BlockPos{X: 30, Y: 0, Z: 40}, true)
		return
	}
	done("", BlockPos{}, false)
}
func (fakeLocator) Structure(_ string, _ BlockPos, match func(string) bool, done func(string, BlockPos, bool)) {
	if match("minecraft:village_plains") {
		done("minecraft:village_plains", BlockPos{X: 30, Y: 0, Z: 40}, true)
		return
	}
	done("", BlockPos{}, false)
}

type fakePregen struct{ *fake }

func (f fakePregen) Start(dimension string, x, z, radius int32) error {
	f.did("pregen %s %d %d %d", dimension, x, z, radius)
	return nil
}
func (fakePregen) Stop() error    { return errors.New("nothing is being generated") }
func (fakePregen) Status() string { return "idle" }

type fakeBackup struct{}

func (fakeBackup) Create(done func(string, error)) error {
	done("b1", nil)
	return nil
}
func (fakeBackup) List(done func([]string, error)) { done([]string{"b1"}, nil) }

type fakeMemory struct{}

func (fakeMemory) Memory() (heap, system, limit uint64) { return 5 << 20, 9 << 20, 0 }

// changedBlocks lists the blocks that are not as they were.
func (f *fake) changedBlocks() []string {
	var list []string
	for k, s := range f.blocks {
		list = append(list, strings.TrimPrefix(k, "overworld ")+" "+strings.TrimPrefix(s.String(), "minecraft:"))
	}
	sort.Strings(list)
	return list
}
