package hosts

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"

	"github.com/agendahq/agenda/calendar"
)

// OIDC authenticates callers by ID tokens of an OpenID provider, in the header "Authorization: Bearer TOKEN". It
// verifies their signature, issuer, audience and expiry. The host maps the token's subject to a user of the site; names
// and email addresses are not used, because they can be reassigned to another person.
type OIDC struct {
	// Find returns the id of the site's user, or 0 if there is none.
	Find func(ctx context.Context, subject string) (int64, error)

	verifier *oidc.IDTokenVerifier
}

// NewOIDC requests the provider's configuration. clientID is the audience that tokens must have.
func NewOIDC(ctx context.Context, issuer, clientID string, find func(context.Context, string) (int64, error)) (*OIDC, error) {
	provider, err := oidc.NewProvider(ctx, issuer)
	if err != nil {
		return nil, err
	}
	var at struct {
		Keys string `json:"jwks_uri"`
	}
	if err := provider.Claims(&at); err != nil {
		return nil, err
	}
	signed := keys{oidc.NewRemoteKeySet(context.WithoutCancel(ctx), at.Keys)}
	return &OIDC{Find: find, verifier: oidc.NewVerifier(issuer, signed, &oidc.Config{ClientID: clientID})}, nil
}

// Authenticate identifies the caller of a request. A wrong token is answered with 401. If the provider's keys cannot be
// fetched, the token cannot be checked, and the answer is 503.
func (o *OIDC) Authenticate(r *http.Request) (calendar.Principal, error) {
	given := r.Header.Get("Authorization")
	if given == "" {
		return calendar.Principal{}, nil // anonymous
	}
	scheme, token, _ := strings.Cut(given, " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return calendar.Principal{}, &calendar.AuthError{Err: fmt.Errorf("the scheme %q is not Bearer", scheme)}
	}
	var outage error
	verified, err := o.verifier.Verify(context.WithValue(r.Context(), outageKey{}, &outage), strings.TrimSpace(token))
	switch {
	case outage != nil:
		return calendar.Principal{}, outage
	case err != nil:
		return calendar.Principal{}, &calendar.AuthError{Err: err}
	}
	id, err := o.Find(r.Context(), verified.Subject)
	if err == nil && id == 0 {
		err = &calendar.AuthError{Err: errors.New("the subject is not a user of the site")}
	}
	return calendar.Principal{UserID: id}, err // Capabilities are nil: the user's rights on the site apply
}

// keys reports through the context whether the keys could not be fetched, because the verifier returns the same error
// for all failures of a signature.
type keys struct{ oidc.KeySet }

type outageKey struct{}

// VerifySignature returns the payload of a token that one of the keys has signed.
func (k keys) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	payload, err := k.KeySet.VerifySignature(ctx, token)
	if outage, ok := ctx.Value(outageKey{}).(*error); ok && err != nil && strings.HasPrefix(err.Error(), "fetching keys") {
		*outage = err
	}
	return payload, err
}
