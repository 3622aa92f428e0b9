package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"path"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// amazon is where buckets lie unless the address says otherwise.
const amazon = "s3.amazonaws.com"

// partBytes is how much of a large file is sent, and kept in memory, at a time.
const partBytes = 16 << 20

// s3 is a Store in a bucket.
type s3 struct {
	client         *minio.Client
	bucket, prefix string // the prefix is empty or ends with a slash
}

func openS3(ctx context.Context, u *url.URL) (Store, error) {
	q := u.Query()
	for name := range q {
		switch name {
		case "endpoint", "region", "insecure", "path-style":
		default:
			return nil, fmt.Errorf("s3 parameter %q: %w", name, ErrAddress)
		}
	}
	if u.Host == "" || u.User != nil {
		return nil, fmt.Errorf("s3 takes a bucket, and keys from the environment: %w", ErrAddress)
	}
	endpoint := q.Get("endpoint")
	if endpoint == "" {
		endpoint = amazon
	}
	lookup := minio.BucketLookupAuto
	if q.Get("path-style") == "true" {
		lookup = minio.BucketLookupPath
	}
	client, err := minio.New(endpoint, &minio.Options{
		Creds: credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{},
		}),
		Secure: q.Get("insecure") != "true", Region: q.Get("region"), BucketLookup: lookup,
	})
	if err != nil {
		return nil, fmt.Errorf("s3: %w", err)
	}
	s := &s3{client: client, bucket: u.Host, prefix: strings.Trim(path.Clean(u.Path), "/.")}
	if s.prefix != "" {
		s.prefix += "/"
	}
	found, err := client.BucketExists(ctx, s.bucket)
	if err != nil {
		return nil, s.fail(err)
	}
	if !found {
		return nil, fmt.Errorf("%s: no such bucket: %w", s, fs.ErrNotExist)
	}
	return s, nil
}

func (s *s3) String() string { return "s3://" + s.bucket + "/" + strings.TrimSuffix(s.prefix, "/") }
func (s *s3) Close() error   { return nil }

// fail makes an error of S3 one of ours.
func (s *s3) fail(err error) error {
	r := minio.ToErrorResponse(err)
	switch r.Code {
	case minio.NoSuchKey, minio.NoSuchBucket:
		return fmt.Errorf("%s: %w: %w", s, fs.ErrNotExist, err)
	case minio.AccessDenied, "InvalidAccessKeyId", "SignatureDoesNotMatch":
		return fmt.Errorf("%s: %w: %w", s, ErrLogin, err)
	}
	return fmt.Errorf("%s: %w", s, err)
}

func (s *s3) List(ctx context.Context, f func(string, int64) error) error {
	ctx, cancel := context.WithCancel(ctx) // ends the listing when f fails
	defer cancel()
	for o := range s.client.ListObjects(ctx, s.bucket, minio.ListObjectsOptions{Prefix: s.prefix, Recursive: true}) {
		if o.Err != nil {
			return s.fail(o.Err)
		}
		name := strings.TrimPrefix(o.Key, s.prefix)
		if name == "" || strings.HasSuffix(name, "/") || isTemporary(name) {
			continue // a folder as some clients make them
		}
		if err := f(name, o.Size); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func (s *s3) Put(ctx context.Context, name string, bytes int64, r io.Reader) error {
	if err := checkName(name); err != nil {
		return err
	}
	r = exactly(r, bytes)
	_, err := s.client.PutObject(ctx, s.bucket, s.prefix+name, r, bytes, minio.PutObjectOptions{
		ContentType: "application/octet-stream", PartSize: partBytes, NumThreads: 1, SendContentMd5: true, DisableContentSha256: true,
	})
	if err == nil {
		// The client reads as much as was promised and does not look further.
		if _, more := r.Read(make([]byte, 1)); more == errShort { //nolint:errorlint // it is ours
			err = errors.Join(errShort, s.Remove(ctx, name))
		}
	}
	if err == nil || errors.Is(err, errShort) {
		return err
	}
	return s.fail(err)
}

func (s *s3) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	if err := checkName(name); err != nil {
		return nil, err
	}
	o, err := s.client.GetObject(ctx, s.bucket, s.prefix+name, minio.GetObjectOptions{})
	if err == nil {
		if _, err = o.Stat(); err == nil { // the first that asks the other side
			return o, nil
		}
		o.Close() //nolint:errcheck // nothing was read
	}
	return nil, s.fail(err)
}

func (s *s3) Remove(ctx context.Context, name string) error {
	if err := checkName(name); err != nil {
		return err
	}
	if err := s.client.RemoveObject(ctx, s.bucket, s.prefix+name, minio.RemoveObjectOptions{}); err != nil {
		return s.fail(err)
	}
	return nil
}

// Sweep ends uploads in parts that were broken off: they are kept, and paid
// for, otherwise.
func (s *s3) Sweep(ctx context.Context) error {
	for upload := range s.client.ListIncompleteUploads(ctx, s.bucket, s.prefix, true) {
		if upload.Err != nil {
			switch minio.ToErrorResponse(upload.Err).Code {
			case "NotImplemented", minio.MethodNotAllowed, "NoSuchUpload": // servers that keep none, or none now
				return nil
			}
			return s.fail(upload.Err)
		}
		if err := s.client.RemoveIncompleteUpload(ctx, s.bucket, upload.Key); err != nil {
			return s.fail(err)
		}
	}
	return ctx.Err()
}
