package main

import (
	"context"
	"image/color"

	"strata/anvil"
	"strata/anvil/diff"
	"strata/anvil/worldmap"
	"strata/cmd/internal/ui"
	"strata/region"
)

// diffColors are those of chunks that differ from an older world. Chunks that
// are equal have none, and of those that were deleted there is nothing to draw.
var diffColors = map[diff.Class]color.NRGBA{
	diff.Created:    {R: 0x4c, G: 0xc0, B: 0x5a, A: 255},
	diff.Modified:   {R: 0xef, G: 0x42, B: 0x28, A: 255},
	diff.Unreadable: {R: 0xb0, G: 0x4c, B: 0xd0, A: 255},
	diff.Touched:    {R: 0x3f, G: 0x86, B: 0xb8, A: 255},
	diff.Moved:      {R: 0xff, G: 0xe2, B: 0x6a, A: 255},
}

// diffOverlay compares a world with an older one and makes an overlay of
// what came out. It takes 1 KiB for each region.
func (a *app) diffOverlay(ctx context.Context, w *anvil.World, older string, o *worldmap.Options) ([]anvil.Failed, error) {
	other, err := openWorld(older)
	if err != nil {
		return nil, err
	}
	before, now := diff.OpenWorld(other, o.Dimension), diff.OpenWorld(w, o.Dimension)
	progress := a.console.StartProgress(ui.Work{Label: "compare", Unit: ui.UnitBytes, Total: before.Bytes() + now.Bytes()})
	defer progress.Stop()
	classes := make(map[region.Pos]*[region.Slots]diff.Class)
	result, err := diff.Compare(ctx, before, now, diff.Options{
		Paths: -1, Blocks: -1, Workers: o.Workers, Progress: progress.Add,
	}, func(r *diff.Region) error {
		classes[r.Pos] = &r.Classes
		return nil
	})
	if err != nil {
		return nil, err
	}
	o.Overlay = worldmap.Marked("diff", func(pos region.ChunkPos) (worldmap.Mark, bool) {
		chunks := classes[pos.Region()]
		if chunks == nil {
			return worldmap.Mark{}, false
		}
		class := chunks[pos.Slot()]
		shown, ok := diffColors[class]
		return worldmap.Mark{Label: class.String(), Color: shown, Order: -int64(class)}, ok
	})
	return result.Failed, nil
}
