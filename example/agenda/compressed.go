package main

import (
	"cmp"

	"github.com/agendahq/agenda/calendar"
)

// defaultCacheBytes is the value of --cache-bytes if it is not set.
const defaultCacheBytes = 64 << 20

// shareForCompressed moves an eighth of the memory for cached answers to their compressed forms, so that both stay
// within --cache-bytes, and returns that share. A compressed form takes about an eighth of its answer.
func (s *settings) shareForCompressed() int64 {
	if !s.gzip || s.cache.Bytes == calendar.None {
		return 0
	}
	all := cmp.Or(s.cache.Bytes, defaultCacheBytes)
	share := all / 8
	s.cache.Bytes = all - share
	return share
}
