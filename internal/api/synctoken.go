package api

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/caller"
)

// syncFor is how long a token is taken: less than the journal keeps changes.
const syncFor = 30 * 24 * time.Hour

// syncToken is what a token says: of which list, for whom, and where in the journal. It is signed, not secret, but for its positions:
// these count the changes of the site, also of what the caller may not see.
type syncToken struct {
	Kind        string `json:"k"`
	Root        string `json:"r"` // tag of the root
	Language    string `json:"l"`
	Items       string `json:"n,omitempty"` // the language of items, where it is not Language: see caller.Request
	Query       string `json:"q"`           // the filters
	Site        string `json:"s"`           // hash of its address
	Incarnation string `json:"i"`           // of the journal
	Caller      string `json:"c"`           // hash of who the caller is
	Rights      string `json:"g"`           // hash of what the caller may do
	Shown       string `json:"o"`           // hash of what decides besides items what is shown
	Issued      int64  `json:"t"`           // when the position was the newest, in seconds since 1970

	Sealed []byte `json:"p"` // the positions, encrypted
	positions

	// Of another page than the first:

	Full     bool  `json:"f,omitempty"` // all items are asked for
	After    int64 `json:"a,omitempty"` // the last id of the page before
	UptoTime int64 `json:"w,omitempty"` // when the position Upto was the newest
	Complete int64 `json:"d,omitempty"` // until when all changes were noted, in milliseconds since 1970
}

// positions are those of a token in the journal.
type positions struct {
	Sequence int64  `json:"-"` // up to which the client has the changes
	Mark     string `json:"-"`
	Upto     int64  `json:"-"` // of another page than the first, of changed items: those up to this position
	UptoMark string `json:"-"`
}

// sealedMark is the length of a mark in sealed positions, which always have the same length.
const sealedMark = 32

// cipherOf returns what seals the positions of tokens.
func cipherOf(secret string) (cipher.AEAD, error) {
	block, err := aes.NewCipher(signature(secret, "positions"))
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}

// seal encrypts the positions.
func (t *syncToken) seal(secret string) error {
	plain := binary.BigEndian.AppendUint64(nil, uint64(t.Sequence))
	plain = binary.BigEndian.AppendUint64(plain, uint64(t.Upto))
	for _, mark := range [...]string{t.Mark, t.UptoMark} {
		if len(mark) > sealedMark {
			return fmt.Errorf("api: a mark of the journal is longer than %d bytes", sealedMark)
		}
		plain = append(plain, mark...)
		plain = append(plain, make([]byte, sealedMark-len(mark))...)
	}
	gcm, err := cipherOf(secret)
	if err == nil {
		t.Sealed = gcm.Seal(nil, nil, plain, nil)
	}
	return err
}

// open decrypts the positions, and reports whether they were sealed with the secret.
func (t *syncToken) open(secret string) bool {
	gcm, err := cipherOf(secret)
	if err != nil {
		return false
	}
	plain, err := gcm.Open(nil, nil, t.Sealed, nil)
	if err != nil || len(plain) != 16+2*sealedMark {
		return false
	}
	mark := func(from int) string { return string(bytes.TrimRight(plain[from:from+sealedMark], "\x00")) }
	t.positions = positions{
		Sequence: int64(binary.BigEndian.Uint64(plain)), Upto: int64(binary.BigEndian.Uint64(plain[8:])),
		Mark: mark(16), UptoMark: mark(16 + sealedMark),
	}
	return true
}

// keySync makes the key of tokens another one than that of other things which are signed with the journal's.
const keySync = "agenda sync\n"

func signature(secret, text string) []byte {
	mac := hmac.New(sha256.New, []byte(keySync+secret))
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

var encoding = base64.RawURLEncoding.Strict()

// sign returns the text of a token.
func (t *syncToken) sign(secret string) (string, error) {
	if err := t.seal(secret); err != nil {
		return "", err
	}
	body, err := json.Marshal(t)
	if err != nil {
		return "", err
	}
	text := encoding.EncodeToString(body)
	return text + "." + encoding.EncodeToString(signature(secret, text)), nil
}

// parseSyncToken reads a token, nil for what is none, and whether it was signed with the secret. One of an earlier program, whose
// positions are not sealed, counts as signed with another.
func parseSyncToken(secret, text string) (t *syncToken, signed bool) {
	body, sum, _ := strings.Cut(text, ".")
	given, err := encoding.DecodeString(sum)
	if err != nil {
		return nil, false
	}
	data, err := encoding.DecodeString(body)
	if err != nil {
		return nil, false
	}
	t = &syncToken{}
	if json.Unmarshal(data, t) != nil {
		return nil, false
	}
	return t, hmac.Equal(given, signature(secret, body)) && t.open(secret)
}

// hashed returns a short hash of texts.
func hashed(texts ...string) string {
	body, _ := json.Marshal(texts) // texts have a form in JSON
	sum := sha256.Sum256(body)
	return encoding.EncodeToString(sum[:12])
}

// whoIs returns hashes of who a caller is and of what they may do.
func whoIs(secret string, p caller.Principal) (who, rights string) {
	if p.Anonymous() {
		return "", ""
	}
	id, _ := json.Marshal([]any{p.UserID, p.Login}) // likewise
	return hashed(secret, string(id)), hashed(append([]string{secret}, p.Held()...)...)
}
