// Package flate is a one-shot DEFLATE codec.
package flate
