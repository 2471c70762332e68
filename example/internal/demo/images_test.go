package demo

import (
	"bytes"
	"image"
	_ "image/jpeg"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

func TestLongImagesAnswerEverySizeOfTheMetadata(t *testing.T) {
	handler := Images(http.NotFoundHandler())
	for _, p := range calendar().Pictures {
		meta := reread(t, metadata(p))
		expectPicture(t, handler, stringOf(t, meta, "file"), numberOf(t, meta, "width"), numberOf(t, meta, "height"))
		forms := arrayOf(t, meta, "sizes")
		for _, name := range []string{"thumbnail", "medium", "large", "medium_large"} {
			form := arrayOf(t, forms, name)
			expectPicture(t, handler, imageDir+"/"+stringOf(t, form, "file"), numberOf(t, form, "width"), numberOf(t, form, "height"))
		}
	}
}

func expectPicture(t *testing.T, h http.Handler, file string, width, height int64) {
	t.Helper()
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, UploadsPath+file, nil))
	if answer.Code != http.StatusOK || answer.Header().Get("Content-Type") != "image/jpeg" {
		t.Fatalf("%s: %d %s", file, answer.Code, answer.Header().Get("Content-Type"))
	}
	config, format, err := image.DecodeConfig(answer.Body)
	if err != nil || format != "jpeg" || int64(config.Width) != width || int64(config.Height) != height {
		t.Errorf("%s: %s of %d by %d (%v), want %d by %d", file, format, config.Width, config.Height, err, width, height)
	}
}

func TestImagesRefuse(t *testing.T) {
	golden.Each(t, "refused-images.txt", func(method, path string, want int) {
		answer := httptest.NewRecorder()
		Images(http.NotFoundHandler()).ServeHTTP(answer, httptest.NewRequest(method, UploadsPath+path, nil))
		if answer.Code != want {
			t.Errorf("%s %s: %d, want %d", method, path, answer.Code, want)
		}
	})
	head := httptest.NewRecorder()
	Images(http.NotFoundHandler()).ServeHTTP(head, httptest.NewRequest(http.MethodHead, UploadsPath+"demo/jazz-150x150.jpg", nil))
	if head.Code != http.StatusOK || head.Body.Len() != 0 || head.Header().Get("Content-Length") == "" {
		t.Errorf("HEAD: %d, %d bytes, length %q", head.Code, head.Body.Len(), head.Header().Get("Content-Length"))
	}
}

// TestImagesAgain checks that an image that a client has already is not sent again, and that a range of it can be
// requested.
func TestImagesAgain(t *testing.T) {
	handler := Images(http.NotFoundHandler())
	ask := func(name, value string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, UploadsPath+"demo/jazz-150x150.jpg", nil)
		r.Header.Set(name, value)
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, r)
		return answer
	}
	whole := ask("Accept", "*/*")
	tag := whole.Header().Get("ETag")
	if tag == "" || whole.Header().Get("Accept-Ranges") != "bytes" {
		t.Fatalf("%v", whole.Header())
	}
	if again := ask("If-None-Match", tag); again.Code != http.StatusNotModified || again.Body.Len() != 0 ||
		again.Header().Get("ETag") != tag {
		t.Errorf("%d, %d bytes, %v", again.Code, again.Body.Len(), again.Header())
	}
	if other := ask("If-None-Match", `"other"`); other.Code != http.StatusOK || !bytes.Equal(other.Body.Bytes(), whole.Body.Bytes()) {
		t.Errorf("%d, %d bytes", other.Code, other.Body.Len())
	}
	if part := ask("Range", "bytes=10-19"); part.Code != http.StatusPartialContent ||
		!bytes.Equal(part.Body.Bytes(), whole.Body.Bytes()[10:20]) {
		t.Errorf("%d %v", part.Code, part.Header())
	}
	if beyond := ask("Range", "bytes=9999999-"); beyond.Code != http.StatusRequestedRangeNotSatisfiable {
		t.Errorf("%d %v", beyond.Code, beyond.Header())
	}
}

// reread serializes a value and parses the result.
func reread(t *testing.T, a *phpval.Array) *phpval.Array {
	t.Helper()
	v := must.Get(phpval.Unserialize(phpval.Serialize(a)))(t)
	return v.(*phpval.Array)
}

func stringOf(t *testing.T, a *phpval.Array, key string) string {
	t.Helper()
	v, _ := a.Get(key)
	s, ok := v.(string)
	if !ok {
		t.Fatalf("%s is %v", key, v)
	}
	return s
}

func numberOf(t *testing.T, a *phpval.Array, key string) int64 {
	t.Helper()
	v, _ := a.Get(key)
	n, ok := v.(int64)
	if !ok {
		t.Fatalf("%s is %v", key, v)
	}
	return n
}

func arrayOf(t *testing.T, a *phpval.Array, key string) *phpval.Array {
	t.Helper()
	v, _ := a.Get(key)
	l, ok := v.(*phpval.Array)
	if !ok {
		t.Fatalf("%s is %v", key, v)
	}
	return l
}
