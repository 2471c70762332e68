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

// syncFor is how long a token is accepted. It is shorter than the journal stores changes.
const syncFor = 30 * 24 * time.Hour

// syncToken is the content of a token: for which list and caller it was issued, and the position in the journal. It is
// signed but not secret, except for the positions. These are encrypted because they count the changes of the site,
// including those that the caller may not see.
type syncToken struct {
	Kind        string `json:"k"`
	Root        string `json:"r"` // tag of the engine's root
	Language    string `json:"l"`
	Items       string `json:"n,omitempty"` // the language of items if it differs from Language; see caller.Request
	Query       string `json:"q"`           // the filters
	Site        string `json:"s"`           // hash of the site's URL
	Incarnation string `json:"i"`           // incarnation of the journal
	Caller      string `json:"c"`           // hash of the caller's identity
	Rights      string `json:"g"`           // hash of the caller's rights
	Shown       string `json:"o"`           // hash of everything besides the items that decides what is shown
	Issued      int64  `json:"t"`           // Unix time when the position was the newest

	Sealed []byte `json:"p"` // the encrypted positions
	positions

	// Only set for pages other than the first:

	Full     bool  `json:"f,omitempty"` // all items are requested, not only changed ones
	After    int64 `json:"a,omitempty"` // the last id of the previous page
	UptoTime int64 `json:"w,omitempty"` // Unix time when the position Upto was the newest
	Complete int64 `json:"d,omitempty"` // time until which all changes are recorded, in milliseconds since 1970
}

// positions are the positions of a token in the journal.
type positions struct {
	Sequence int64  `json:"-"` // the client has the changes up to this one
	Mark     string `json:"-"`
	Upto     int64  `json:"-"` // for pages of changed items other than the first: the last change to include
	UptoMark string `json:"-"`
}

// sealedMark is the length to which marks are padded in encrypted positions, so that these always have the same length.
const sealedMark = 32

// cipherOf returns the cipher for the positions of tokens.
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

// open decrypts the positions, and reports whether they were encrypted with the secret.
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

// keySync makes the key for tokens differ from the other keys that are derived from the journal's secret.
const keySync = "agenda sync\n"

func signature(secret, text string) []byte {
	mac := hmac.New(sha256.New, []byte(keySync+secret))
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

var encoding = base64.RawURLEncoding.Strict()

// sign returns the token as a string.
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

// parseSyncToken parses a token and reports whether it was signed with the secret. t is nil if the string is not a
// token. A token of an earlier version of the program, whose positions are not encrypted, counts as signed with another
// secret.
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

// hashed returns a short hash of strings.
func hashed(texts ...string) string {
	body, _ := json.Marshal(texts) // strings can always be marshaled
	sum := sha256.Sum256(body)
	return encoding.EncodeToString(sum[:12])
}

// whoIs returns hashes of a caller's identity and of the caller's rights.
func whoIs(secret string, p caller.Principal) (who, rights string) {
	if p.Anonymous() {
		return "", ""
	}
	id, _ := json.Marshal([]any{p.UserID, p.Login}) // numbers and strings can always be marshaled
	return hashed(secret, string(id)), hashed(append([]string{secret}, p.Held()...)...)
}
