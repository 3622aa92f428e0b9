package vfs

import (
	"io"
	"sync/atomic"
)

const (
	pageSize   = 4096 // allocation unit of Mem
	sectorSize = 512  // what a device writes whole or not at all
)

type page = [pageSize]byte

// zeroPage stands for blocks that are reserved but were never written. It
// carries token 0 and so is never written to.
var zeroPage page

// pageRef is a page of a content. Only the content whose token it carries may
// write to the page; for everybody else it is immutable.
type pageRef struct {
	data  *page // nil: hole
	token uint64
}

// content is the bytes of a file as a value that can be shared cheaply: after
// share both copies refer to the same pages and each copies what it changes.
// Pages beyond the list are holes. Invariant: bytes at or beyond size are
// zero, except in crash.go while a result is put together.
type content struct {
	size  int64
	pages []pageRef
	// token marks pages that nobody else refers to; 0 means there are none.
	token uint64
	// shared says that others refer to the array under pages.
	shared bool
}

// tokens numbers the contents of all file systems, so that no two of them
// ever take a page for their own.
var tokens atomic.Uint64

// share returns a copy of c. Neither of the two owns a page any more.
func (c *content) share() content {
	c.token, c.shared = 0, true
	return *c
}

// own makes the page list private and at least n long.
func (c *content) own(n int) {
	switch {
	case c.shared:
		pages := make([]pageRef, max(n, len(c.pages)))
		copy(pages, c.pages)
		c.pages, c.shared = pages, false
	case n > len(c.pages):
		c.pages = append(c.pages, make([]pageRef, n-len(c.pages))...)
	}
	if c.token == 0 {
		c.token = tokens.Add(1)
	}
}

// page returns page i for writing after own. Its old bytes are there only if
// keep is set.
func (c *content) page(i int, keep bool) *page {
	ref := &c.pages[i]
	if ref.data != nil && ref.token == c.token {
		return ref.data
	}
	p := new(page)
	if keep && ref.data != nil {
		*p = *ref.data
	}
	*ref = pageRef{data: p, token: c.token}
	return p
}

// at returns the page that holds offset i*pageSize, nil for a hole.
func (c *content) at(i int) *page {
	if i >= len(c.pages) {
		return nil
	}
	return c.pages[i].data
}

// span is the part of one page that a range covers.
type span struct {
	page, from, to int
}

func (s span) whole() bool { return s.from == 0 && s.to == pageSize }

// spans calls fn for each page of [off, off+n) until it returns false.
func spans(off, n int64, fn func(s span) bool) {
	for n > 0 {
		from := off % pageSize
		m := min(n, pageSize-from)
		if !fn(span{page: int(off / pageSize), from: int(from), to: int(from + m)}) {
			return
		}
		off, n = off+m, n-m
	}
}

func (c *content) readAt(p []byte, off int64) (int, error) {
	if off >= c.size {
		return 0, io.EOF
	}
	want := len(p)
	p = p[:min(int64(want), c.size-off)]
	done := 0
	spans(off, int64(len(p)), func(s span) bool {
		dst := p[done : done+s.to-s.from]
		if src := c.at(s.page); src != nil {
			copy(dst, src[s.from:s.to])
		} else {
			clear(dst)
		}
		done += len(dst)
		return true
	})
	if done < want {
		return done, io.EOF
	}
	return done, nil
}

// writeAt writes p and adds at most budget pages, all it needs if budget is
// negative. It returns how many bytes it wrote and how many pages it added.
func (c *content) writeAt(p []byte, off, budget int64) (n int, added int64) {
	if len(p) == 0 {
		return 0, 0
	}
	c.own(pagesFor(off + int64(len(p))))
	spans(off, int64(len(p)), func(s span) bool {
		if c.pages[s.page].data == nil {
			if added == budget {
				return false
			}
			added++
		}
		n += copy(c.page(s.page, !s.whole())[s.from:s.to], p[n:])
		return true
	})
	if n > 0 {
		c.size = max(c.size, off+int64(n))
	}
	return n, added
}

// zero makes [off, off+m) read as zeros, turning whole pages into holes. It
// returns how many pages that freed.
func (c *content) zero(off, m int64) (freed int64) {
	m = min(m, int64(len(c.pages))*pageSize-off)
	if m <= 0 {
		return 0
	}
	c.own(0)
	spans(off, m, func(s span) bool {
		switch {
		case c.pages[s.page].data == nil:
		case s.whole():
			c.pages[s.page] = pageRef{}
			freed++
		default:
			clear(c.page(s.page, true)[s.from:s.to])
		}
		return true
	})
	return freed
}

// truncate sets the size and returns how many pages that freed.
func (c *content) truncate(size int64) (freed int64) {
	if size < c.size {
		freed = c.cut(size)
	}
	c.size = size
	return freed
}

// cut drops every byte at or beyond size, wherever c.size is.
func (c *content) cut(size int64) (freed int64) {
	keep := pagesFor(size)
	if tail := size % pageSize; tail != 0 {
		freed = c.zero(size, pageSize-tail) // less than a page: frees nothing
	}
	if keep >= len(c.pages) {
		return freed
	}
	for _, ref := range c.pages[keep:] {
		if ref.data != nil {
			freed++
		}
	}
	c.own(0)
	clear(c.pages[keep:]) // own appends zeroed entries only past len
	c.pages = c.pages[:keep]
	return freed
}

// missing counts the pages of [off, off+n) that are holes.
func (c *content) missing(off, n int64) (count int64) {
	for i := int(off / pageSize); i < pagesFor(off+n); i++ {
		if c.at(i) == nil {
			count++
		}
	}
	return count
}

// reserve turns the holes of [off, off+n) into zero pages and extends the
// size. It returns how many pages it added.
func (c *content) reserve(off, n int64) (added int64) {
	last := pagesFor(off + n)
	c.own(last)
	for i := int(off / pageSize); i < last; i++ {
		if c.pages[i].data == nil {
			c.pages[i] = pageRef{data: &zeroPage}
			added++
		}
	}
	c.size = max(c.size, off+n)
	return added
}

// copyRange takes the bytes of [off, off+n) from src, whole pages by
// reference. Sizes do not matter and do not change.
func (c *content) copyRange(src *content, off, n int64) {
	if n <= 0 {
		return
	}
	c.own(pagesFor(off + n))
	src.token = 0 // its pages may have two referents from here on
	spans(off, n, func(s span) bool {
		from := src.at(s.page)
		switch {
		case s.whole() && from == nil:
			c.pages[s.page] = pageRef{}
		case s.whole():
			c.pages[s.page] = pageRef{data: from}
		case from != nil:
			copy(c.page(s.page, true)[s.from:s.to], from[s.from:s.to])
		case c.pages[s.page].data != nil:
			clear(c.page(s.page, true)[s.from:s.to])
		}
		return true
	})
}

// allocated counts the pages that are not holes.
func (c *content) allocated() (n int64) {
	for _, ref := range c.pages {
		if ref.data != nil {
			n++
		}
	}
	return n
}

// pagesFor is how many pages hold size bytes.
func pagesFor(size int64) int { return int((size + pageSize - 1) / pageSize) }
