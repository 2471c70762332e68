package media

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"image/draw"
	"iter"
)

// orientation returns the EXIF orientation of a JPEG file, from 1 to 8; 1 (upright) if it is missing or invalid.
func orientation(file []byte) int {
	const upright, tag, short = 1, 0x0112, 3
	tiff := exifBlock(file)
	if len(tiff) < 8 {
		return upright
	}
	var order binary.ByteOrder = binary.LittleEndian
	switch string(tiff[:4]) {
	case "II*\x00":
	case "MM\x00*":
		order = binary.BigEndian
	default:
		return upright
	}
	at := uint64(order.Uint32(tiff[4:]))
	if at+2 > uint64(len(tiff)) {
		return upright
	}
	entries := tiff[at+2:]
	for range order.Uint16(tiff[at:]) {
		if len(entries) < 12 {
			break
		}
		if order.Uint16(entries) == tag {
			n := int(order.Uint16(entries[8:]))
			if order.Uint16(entries[2:]) == short && order.Uint32(entries[4:]) == 1 && 1 <= n && n <= 8 {
				return n
			}
			break
		}
		entries = entries[12:]
	}
	return upright
}

// exifBlock returns the EXIF data of a JPEG file, which is before the first scan.
func exifBlock(file []byte) []byte {
	const app1 = 0xE1
	for marker, data := range segments(file) {
		if marker == startOfScan {
			return nil
		}
		if tiff, found := bytes.CutPrefix(data, []byte("Exif\x00\x00")); found && marker == app1 {
			return tiff
		}
	}
	return nil
}

// Markers of segments in a JPEG file.
const (
	startOfScan     = 0xDA
	firstRestart    = 0xD0
	lastRestart     = 0xD7
	startOfImage    = 0xD8
	sequentialFrame = 0xC0
	extendedFrame   = 0xC1
	progressive     = 0xC2
)

// segments yields the segments of a JPEG file with their markers, in the way in which Go's decoder finds them. It skips
// the data of scans and unknown bytes. It continues after the end-of-image marker, since a crafted file can make the
// decoder do so.
func segments(file []byte) iter.Seq2[byte, []byte] {
	return func(yield func(byte, []byte) bool) {
		rest, ok := bytes.CutPrefix(file, []byte{0xFF, startOfImage})
		for ok {
			at := bytes.IndexByte(rest, 0xFF)
			if at < 0 || at+1 >= len(rest) {
				return
			}
			marker := rest[at+1]
			switch {
			case marker == 0xFF: // fill byte
				rest = rest[at+1:]
				continue
			case marker < sequentialFrame, firstRestart <= marker && marker <= startOfImage+1: // scan data, or a marker without a segment
				rest = rest[at+2:]
				continue
			}
			rest = rest[at+2:]
			if len(rest) < 2 {
				return
			}
			size := int(binary.BigEndian.Uint16(rest)) // includes the two bytes of the size itself
			if size < 2 || size > len(rest) || !yield(marker, rest[2:size]) {
				return
			}
			rest = rest[size:]
		}
	}
}

// sideways reports whether an EXIF orientation swaps width and height.
func sideways(orientation int) bool { return orientation >= 5 }

// upright rotates and mirrors a picture by its EXIF orientation. It converts row by row, because a converted copy of
// the whole picture would need as much memory again.
func upright(ctx context.Context, m image.Image, orientation int) (image.Image, error) {
	if orientation == 1 {
		return m, nil
	}
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	if sideways(orientation) {
		out = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	row := image.NewRGBA(image.Rect(0, 0, w, 1))
	for y := range h {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		draw.Draw(row, row.Rect, m, image.Pt(b.Min.X, b.Min.Y+y), draw.Src)
		for x := range w {
			at := out.PixOffset(turned(x, y, w, h, orientation))
			copy(out.Pix[at:at+4], row.Pix[4*x:])
		}
	}
	return out, nil
}

// turned returns the position at which a stored pixel is displayed.
func turned(x, y, w, h, orientation int) (int, int) {
	switch orientation {
	case 2:
		return w - 1 - x, y
	case 3:
		return w - 1 - x, h - 1 - y
	case 4:
		return x, h - 1 - y
	case 5:
		return y, x
	case 6:
		return h - 1 - y, x
	case 7:
		return h - 1 - y, w - 1 - x
	case 8:
		return y, w - 1 - x
	}
	return x, y
}
