package media

import (
	"context"
	"errors"
	"image"
	"image/color"
	"slices"
	"testing"

	"golang.org/x/image/draw"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

func TestFit(t *testing.T) {
	golden.Each(t, "fits.txt", func(w, h int, crop bool, width, height, wantW, wantH, left, top, right, bottom int) {
		size, want := Size{Width: width, Height: height, Crop: crop}, image.Rect(left, top, right, bottom)
		gotW, gotH, part, ok := fit(w, h, size)
		if want.Empty() {
			want = image.Rect(0, 0, w, h)
		}
		if ok != (wantW > 0) || ok && (gotW != wantW || gotH != wantH || part != want) {
			t.Errorf("%d×%d %+v: %t, %d×%d of %v, want %d×%d of %v", w, h, size, ok, gotW, gotH, part, wantW, wantH, want)
		}
	})
}

// TestFitBounds checks that a version fits into both the image and the size.
func TestFitBounds(t *testing.T) {
	lengths := []int{1, 2, 3, 149, 150, 151, 299, 300, 301, 1023, 1025, 2049, 7000, maxSide}
	for _, w := range lengths {
		for _, h := range lengths {
			for _, s := range []Size{{"", 150, 150, true}, {"", 300, 300, false}, {"", 768, 0, false}, {"", 0, 300, true},
				{"", 1024, 2, true}} {
				gotW, gotH, part, ok := fit(w, h, s)
				if !ok {
					continue
				}
				if gotW < 1 || gotH < 1 || gotW > w || gotH > h || part.Empty() || !part.In(image.Rect(0, 0, w, h)) ||
					s.Width > 0 && gotW > s.Width || s.Height > 0 && gotH > s.Height {
					t.Errorf("%d×%d %+v: %d×%d of %v", w, h, s, gotW, gotH, part)
				}
			}
		}
	}
}

func TestSizesOf(t *testing.T) {
	got := SizesOf(map[string]string{
		"thumbnail_size_w": "150", "thumbnail_size_h": "150", "thumbnail_crop": "1",
		"medium_size_w": "300", "medium_size_h": "300", "medium_large_size_w": "768", "medium_large_size_h": "0",
		"large_size_w": "1024", "large_size_h": "1024", "large_crop": "0",
	})
	want := []Size{
		{"medium", 300, 300, false}, {"large", 1024, 1024, false}, {"thumbnail", 150, 150, true}, {"medium_large", 768, 0, false},
		{"1536x1536", 1536, 1536, false}, {"2048x2048", 2048, 2048, false},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	got = SizesOf(map[string]string{"medium_size_w": "0", "medium_size_h": "0", "large_size_w": "-5", "large_size_h": "x",
		"thumbnail_size_h": "99999999999"})
	if !slices.Equal(got, []Size{{"thumbnail", 0, maxSide, false}, want[4], want[5]}) {
		t.Errorf("%v", got)
	}
	if !slices.Contains(SizeOptions, "medium_large_size_w") || !slices.Contains(SizeOptions, "thumbnail_crop") || len(SizeOptions) != 12 {
		t.Errorf("%v", SizeOptions)
	}
}

// TestResize checks that scaling in bands gives the same picture as scaling at once.
func TestResize(t *testing.T) {
	m := image.NewRGBA(image.Rect(-7, 5, 293, 205))
	for y := m.Rect.Min.Y; y < m.Rect.Max.Y; y++ {
		for x := m.Rect.Min.X; x < m.Rect.Max.X; x++ {
			m.Set(x, y, color.RGBA{uint8(x * 3), uint8(y * 5), uint8(x * y / 50), 255})
		}
	}
	part := image.Rect(30, 20, 290, 190)
	got := must.Get(resize(t.Context(), m, part, 150, 97))(t)
	want := image.NewRGBA(image.Rect(0, 0, 150, 97))
	draw.CatmullRom.Scale(want, want.Rect, m, part.Add(m.Rect.Min), draw.Src, nil)
	// Clamping between the passes makes a difference at hard edges only.
	far := 0
	for i := range want.Pix {
		if d := int(got.Pix[i]) - int(want.Pix[i]); d > 2 || d < -2 {
			far++
		}
	}
	if far > len(want.Pix)/100 {
		t.Errorf("%d of %d values differ", far, len(want.Pix))
	}
}

func TestResizeGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := resize(ctx, quarters(100, 100), image.Rect(0, 0, 100, 100), 10, 10); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestSourceOf checks that small versions are scaled from larger ones if those show the same and are sharp enough.
func TestSourceOf(t *testing.T) {
	m, large, medium := quarters(4000, 3000), quarters(2048, 1536), quarters(768, 576)
	for _, c := range []struct {
		w, h       int
		part       image.Rectangle
		want       image.Image
		wantedPart image.Rectangle
	}{
		{1536, 1152, m.Rect, m, m.Rect},
		{1025, 769, m.Rect, m, m.Rect},
		{1024, 768, m.Rect, large, large.Rect},
		{384, 288, m.Rect, medium, medium.Rect},
		{150, 150, image.Rect(500, 0, 3500, 3000), medium, image.Rect(96, 0, 672, 576)},
		{300, 300, image.Rect(500, 0, 3500, 3000), large, image.Rect(256, 0, 1792, 1536)},
		{384, 10, m.Rect, medium, medium.Rect},
		{10, 289, m.Rect, large, large.Rect},
	} {
		got, part := sourceOf(version{SavedSize{Width: c.w, Height: c.h}, c.part}, []image.Image{m, large, medium})
		if got != c.want || part != c.wantedPart {
			t.Errorf("%d×%d of %v: %v of %v", c.w, c.h, c.part, part, got.Bounds())
		}
	}
}
