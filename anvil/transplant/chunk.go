package transplant

import "strata/nbt"

// chunk moves a chunk: its root, and the compound Level before 1.18.
func (p *patcher) chunk(body nbt.Tag) {
	for name, t := range body.Members() {
		switch string(name) {
		case "Level":
			if t.Type() == nbt.TypeCompound {
				p.chunk(t)
			}
		case "xPos":
			p.number(t, p.move.X)
		case "zPos":
			p.number(t, p.move.Z)
		case "block_entities", "TileEntities":
			each(t, p.blockEntity)
		case "block_ticks", "fluid_ticks", "TileTicks", "LiquidTicks":
			each(t, p.column)
		case "entities", "Entities":
			each(t, p.entity)
		case "structures", "Structures":
			p.structures(t)
		case "UpgradeData":
			each(t.Get("neighbor_block_ticks"), p.column)
			each(t.Get("neighbor_fluid_ticks"), p.column)
		}
	}
}

// column moves the members x and z, in blocks: of a tick.
func (p *patcher) column(t nbt.Tag) {
	p.number(t.Get("x"), p.blocksX())
	p.number(t.Get("z"), p.blocksZ())
}

func (p *patcher) structures(t nbt.Tag) {
	for name, member := range t.Members() {
		switch string(name) {
		case "starts", "Starts":
			for _, start := range member.Members() {
				p.start(start)
			}
		case "References":
			for _, chunks := range member.Members() {
				p.packed(chunks)
			}
		}
	}
}

func (p *patcher) start(t nbt.Tag) {
	for name, member := range t.Members() {
		switch string(name) {
		case "ChunkX":
			p.number(member, p.move.X)
		case "ChunkZ":
			p.number(member, p.move.Z)
		case "BB": // before 1.17
			p.box(member)
		case "Children":
			each(member, p.piece)
		case "Processed": // chunks of a monument, before 1.16
			each(member, func(chunk nbt.Tag) {
				p.number(chunk.Get("X"), p.move.X)
				p.number(chunk.Get("Z"), p.move.Z)
			})
		}
	}
}

func (p *patcher) piece(t nbt.Tag) {
	for name, member := range t.Members() {
		switch string(name) {
		case "BB":
			p.box(member)
		case "TPX", "PosX": // of a template, of a jigsaw piece
			p.number(member, p.blocksX())
		case "TPZ", "PosZ":
			p.number(member, p.blocksZ())
		case "Entrances": // of a mineshaft's room
			for _, e := range member.Elements() {
				p.box(e)
			}
		case "junctions":
			each(member, func(j nbt.Tag) {
				p.number(j.Get("source_x"), p.blocksX())
				p.number(j.Get("source_z"), p.blocksZ())
			})
		}
	}
}

func (p *patcher) poi(root nbt.Tag) {
	for _, section := range root.Get("Sections").Members() {
		each(section.Get("Records"), func(record nbt.Tag) { p.place(record.Get("pos")) })
	}
}
