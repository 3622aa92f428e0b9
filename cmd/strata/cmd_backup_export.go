package main

import (
	"archive/tar"
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"

	"strata/backup"
	"strata/cmd/internal/ui"
	"strata/region/vfs"
)

// backupExportFlags are the flags of strata backup export.
type backupExportFlags struct {
	repoFlags
	overwrite bool
}

// exportResult is the result of strata backup export.
type exportResult struct {
	Snapshot string `json:"snapshot"`
	File     string `json:"file"`
	Files    int64  `json:"files"`
	Bytes    int64  `json:"bytes"`         // of the files
	Archive  int64  `json:"archive_bytes"` // of the archive
}

func newBackupExportCmd(a *app) *cobra.Command {
	var flags backupExportFlags
	cmd := &cobra.Command{
		Use:   "export REPO SNAPSHOT FILE",
		Short: "Write a snapshot to an archive",
		Long: `Write a snapshot to an archive that any program can unpack: .zip, .tar, .tar.gz or
.tar.zst by the name of FILE. The file appears when it is whole.

With --json: snapshot, file, files, bytes, archive_bytes.`,
		Example: `  strata backup export /backup/worlds latest world.zip
  strata backup export /backup/worlds 000012 world.tar.zst`,
		Args: exactArgs("REPO", "SNAPSHOT", "FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.backupExport(cmd.Context(), args[0], args[1], args[2], &flags)
		},
	}
	cmd.Flags().BoolVar(&flags.overwrite, "overwrite", false, "replace FILE if it is there")
	flags.repoFlags.register(cmd.Flags())
	return cmd
}

// archive is a writer of files into an archive.
type archive interface {
	// begin begins a file of that many bytes.
	begin(name string, info vfs.FileInfo) (io.Writer, error)
	Close() error
}

type tarArchive struct {
	*tar.Writer
	outer io.Closer // nil without compression
}

func (t *tarArchive) begin(name string, info vfs.FileInfo) (io.Writer, error) {
	return t.Writer, t.WriteHeader(&tar.Header{Name: name, Size: info.Size, Mode: 0o644, ModTime: info.ModTime, Format: tar.FormatPAX})
}

func (t *tarArchive) Close() error {
	err := t.Writer.Close()
	if t.outer != nil {
		err = errors.Join(err, t.outer.Close())
	}
	return err
}

type zipArchive struct{ *zip.Writer }

func (z *zipArchive) begin(name string, info vfs.FileInfo) (io.Writer, error) {
	header := &zip.FileHeader{Name: name, Modified: info.ModTime, Method: zip.Deflate}
	if ext := filepath.Ext(name); ext == ".mca" || ext == ".mcc" {
		header.Method = zip.Store // it is compressed already
	}
	header.SetMode(0o644)
	return z.CreateHeader(header)
}

// newArchive makes an archive of the kind that a name asks for.
func newArchive(name string, w io.Writer) (archive, error) {
	switch lower := strings.ToLower(name); {
	case strings.HasSuffix(lower, ".zip"):
		return &zipArchive{zip.NewWriter(w)}, nil
	case strings.HasSuffix(lower, ".tar"):
		return &tarArchive{tar.NewWriter(w), nil}, nil
	case strings.HasSuffix(lower, ".tar.gz"), strings.HasSuffix(lower, ".tgz"):
		z := gzip.NewWriter(w)
		return &tarArchive{tar.NewWriter(z), z}, nil
	case strings.HasSuffix(lower, ".tar.zst"):
		z, err := zstd.NewWriter(w)
		if err != nil {
			return nil, err
		}
		return &tarArchive{tar.NewWriter(z), z}, nil
	}
	return nil, ui.Errorf(ui.Usage, "%s: the name has to end in .zip, .tar, .tar.gz or .tar.zst", name)
}

func (a *app) backupExport(ctx context.Context, dir, name, file string, flags *backupExportFlags) error {
	if _, err := newArchive(file, io.Discard); err != nil {
		return err
	}
	if _, err := os.Lstat(file); err == nil && !flags.overwrite {
		return ui.WithHint(ui.Errorf(ui.Usage, "%s is there already", file), "--overwrite replaces it.")
	}
	return a.withSnapshot(ctx, dir, name, &flags.repoFlags, func(r backup.Repository, s backup.Snapshot) error {
		return a.withView(ctx, r, s.ID, func(v *backup.View) error {
			result := &exportResult{Snapshot: s.ID, File: file}
			if err := a.writeArchive(ctx, v, file, result); err != nil {
				return err
			}
			return a.console.Result(result, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "Wrote snapshot %s to %s: %s of %s, %s.\n", s.ID, file, ui.FormatBytes(result.Bytes),
					countText(int(result.Files), "file"), ui.FormatBytes(result.Archive))
				return err
			})
		})
	})
}

// writeArchive writes to a temporary file, which gets its name when it is whole.
func (a *app) writeArchive(ctx context.Context, v *backup.View, file string, result *exportResult) (err error) {
	temporary, err := os.CreateTemp(filepath.Dir(file), vfs.TempPrefix)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, temporary.Close(), os.Remove(temporary.Name()))
		}
	}()
	out, err := newArchive(file, temporary)
	if err != nil {
		return err
	}
	progress := a.console.StartProgress(ui.Work{Label: "export", Unit: ui.UnitBytes, Total: v.Snapshot.Bytes})
	defer progress.Stop()
	err = walkView(v, func(name string, info vfs.FileInfo) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		w, err := out.begin(name, info)
		if err == nil {
			err = copyFrom(v, filepath.Join(filepath.Dir(v.Root), filepath.FromSlash(name)), info.Size, w)
		}
		result.Files++
		result.Bytes += info.Size
		progress.Add(info.Size)
		return err
	})
	if err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	if err := temporary.Chmod(0o644); err != nil {
		return err
	}
	info, err := temporary.Stat()
	if err != nil {
		return err
	}
	result.Archive = info.Size()
	if err := errors.Join(temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), file)
}

func copyFrom(fsys vfs.FS, path string, size int64, w io.Writer) (err error) {
	file, err := fsys.OpenFile(path, 0, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	n, err := io.Copy(w, io.NewSectionReader(file, 0, size))
	if err == nil && n != size {
		err = fmt.Errorf("%s: %w: %d bytes of %d", path, io.ErrUnexpectedEOF, n, size)
	}
	return err
}
