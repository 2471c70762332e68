package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/caller"
)

// syncFor is how long a token is taken: less than the journal keeps changes.
const syncFor = 30 * 24 * time.Hour

// syncToken is what a token says: of which list, for whom, and where in the journal. It is signed, not secret.
type syncToken struct {
	Kind        string `json:"k"`
	Root        string `json:"r"` // tag of the root
	Language    string `json:"l"`
	Query       string `json:"q"` // the filters
	Site        string `json:"s"` // hash of its address
	Incarnation string `json:"i"` // of the journal
	Caller      string `json:"c"` // hash of who the caller is
	Rights      string `json:"g"` // hash of what the caller may do
	Shown       string `json:"o"` // hash of what decides besides items what is shown
	Issued      int64  `json:"t"` // when the position was the newest, in seconds since 1970

	Sequence int64  `json:"n"`
	Mark     string `json:"m,omitempty"`

	// Of another page than the first:

	Full     bool   `json:"f,omitempty"` // all items are asked for
	After    int64  `json:"a,omitempty"` // the last id of the page before
	Upto     int64  `json:"u,omitempty"` // of changed items: those up to this position
	UptoMark string `json:"v,omitempty"`
	UptoTime int64  `json:"w,omitempty"` // when that was the newest
	Complete int64  `json:"d,omitempty"` // until when all changes were noted, in milliseconds since 1970
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
	body, err := json.Marshal(t)
	if err != nil {
		return "", err
	}
	text := encoding.EncodeToString(body)
	return text + "." + encoding.EncodeToString(signature(secret, text)), nil
}

// parseSyncToken reads a token, nil for what is none, and whether it was signed with the secret.
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
	return t, hmac.Equal(given, signature(secret, body))
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
	may := slices.Sorted(maps.Keys(p.Capabilities))
	may = slices.DeleteFunc(may, func(c string) bool { return !p.Capabilities[c] })
	return hashed(secret, string(id)), hashed(append([]string{secret}, may...)...)
}
