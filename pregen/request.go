package pregen

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"strata/region/vfs"
)

// Request is how a run was asked for, in the words of who asked: names and
// values that this package keeps and does not read. With it an interrupted run
// goes on without being described again.
type Request map[string]string

// requestName is where a request is until there is a run file.
const requestName = "request.json"

// maxRequest bounds a request that is read, in bytes.
const maxRequest = 1 << 20

// ReadRequest returns the request of the run that a world's folder has the file
// of, nil if there is none; finished if it is done but for chunks that failed.
// The error wraps ErrRunFile if the file cannot be read.
func ReadRequest(fsys vfs.FS, world string) (request Request, finished bool, err error) {
	folder := filepath.Join(world, filepath.FromSlash(runFolder))
	file, err := readRunFile(fsys, folder)
	if err != nil {
		return nil, false, err
	}
	if file != nil {
		return file.Request, file.Finished, nil
	}
	data, err := vfs.ReadFile(fsys, filepath.Join(folder, requestName), maxRequest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err == nil {
		if err = json.Unmarshal(data, &request); err != nil {
			err = fmt.Errorf("%w: %v", ErrRunFile, err)
		}
	}
	return request, false, err
}

// writeRequest puts a request where ReadRequest finds it.
func writeRequest(fsys vfs.FS, world string, request Request) error {
	if request == nil {
		return nil
	}
	data, err := json.MarshalIndent(request, "", "\t")
	if err != nil {
		return err
	}
	folder := filepath.Join(world, filepath.FromSlash(runFolder))
	if err := vfs.MkdirAllSync(fsys, folder, 0o755); err != nil {
		return err
	}
	return vfs.WriteFileSync(fsys, filepath.Join(folder, requestName), append(data, '\n'), 0o644)
}

// dropRequest removes what writeRequest wrote: there is a run file now.
func dropRequest(fsys vfs.FS, folder string) error {
	err := fsys.Remove(filepath.Join(folder, requestName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
