package main

import (
	"cmp"

	"github.com/agendahq/agenda/calendar"
)

// defaultCacheBytes is what --cache-bytes means without a number.
const defaultCacheBytes = 64 << 20

// shareForCompressed takes the memory for compressed forms of answers from that for cached answers, so that both are within --cache-bytes,
// and returns it. A form takes about an eighth of its answer.
func (s *settings) shareForCompressed() int64 {
	if !s.gzip || s.cache.Bytes == calendar.None {
		return 0
	}
	all := cmp.Or(s.cache.Bytes, defaultCacheBytes)
	share := all / 8
	s.cache.Bytes = all - share
	return share
}
