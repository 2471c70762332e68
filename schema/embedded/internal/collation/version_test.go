package collation

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"testing"
)

// TestVersion fails if any character compares differently than in this Version. If that is intended, increase the
// version, so that files of the old one get new indexes, and store the new sum here.
func TestVersion(t *testing.T) {
	const version, want = 1, "26833387546469cca6352f76334075fc7dd6b43d0ba6c0782ee26e0515d5a911"
	sum, table := sha256.New(), weights()
	for r := rune(0); r <= 0x10FFFF; r++ {
		w := table.weights(r)
		_ = binary.Write(sum, binary.BigEndian, uint32(len(w)))
		_ = binary.Write(sum, binary.BigEndian, w)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want || version != Version {
		t.Errorf("collation version %d has sum %s; version %d had %s", Version, got, version, want)
	}
}
