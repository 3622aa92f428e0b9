package bench

import (
	"bytes"
	"fmt"

	"strata/region"
)

// verify fails unless the file at path is sound and has exactly the records.
func (r *storageRun) verify(path string, records []region.Record) error {
	report, err := region.Check(path, region.CheckOptions{FS: r.fs})
	if err != nil {
		return err
	}
	if report.Worst() > region.SeverityInfo {
		return fmt.Errorf("written file is unsound: %s", report.Findings[0])
	}
	if report.Chunks != len(records) {
		return fmt.Errorf("written file has %d chunks, not %d", report.Chunks, len(records))
	}
	file, err := region.Open(path, region.Options{FS: r.fs, ReadOnly: true})
	if err != nil {
		return err
	}
	defer file.Close()
	var buf []byte
	for i := range records {
		got, err := file.Read(region.Slot(i), buf)
		if err != nil {
			return err
		}
		if got.Scheme != records[i].Scheme || !bytes.Equal(got.Data, records[i].Data) {
			return fmt.Errorf("slot %d of %s is not what was written", i, path)
		}
		buf = got.Buffer()
	}
	r.report.Verified += len(records)
	return nil
}
