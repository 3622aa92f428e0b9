package region_test

import (
	"fmt"
	"os"

	"strata/region"
	"strata/region/codec"
	"strata/region/vfs"
)

// A region file whose first entry has lost its sector count is checked and
// repaired.
func ExampleRepair() {
	fsys := vfs.NewMem(vfs.MemOptions{})
	w, err := region.Create("r.0.0.mca", region.Options{FS: fsys})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := w.Put(0, region.Record{Scheme: codec.None, Data: []byte("chunk")}); err != nil {
		fmt.Println(err)
	}
	if err := w.Finish(); err != nil {
		fmt.Println(err)
	}
	damage(fsys, "r.0.0.mca", 3)

	report, err := region.Check("r.0.0.mca", region.CheckOptions{FS: fsys})
	fmt.Println(report.Worst(), err)
	for _, f := range report.Findings {
		fmt.Println(f)
	}
	done, err := region.Repair("r.0.0.mca", region.RepairOptions{FS: fsys})
	fmt.Println(done.Changed, err)
	for _, a := range done.Actions {
		fmt.Println(a)
	}
	// Output:
	// error <nil>
	// error: zero-count chunk 0,0 (slot 0) in r.0.0.mca: location 2+0
	// true <nil>
	// fix-count chunk 0,0 (slot 0): 0 sectors, of which the record needs 1
}

// damage clears one byte.
func damage(fsys vfs.FS, path string, off int64) {
	f, err := fsys.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	if _, err := f.WriteAt([]byte{0}, off); err != nil {
		fmt.Println(err)
	}
	if err := f.Close(); err != nil {
		fmt.Println(err)
	}
}
