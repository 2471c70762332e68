package media

import (
	"encoding/binary"
	"image"
	"image/color"
)

// decodedBytes returns how many bytes the decoded pixels of an image take, of all frames of an animation together. It
// reads headers only and decodes nothing.
func decodedBytes(mime string, data []byte, config image.Config) int64 {
	area := int64(config.Width) * int64(config.Height)
	if mime == "image/gif" {
		return gifBytes(data, config)
	}
	switch config.ColorModel {
	case color.GrayModel:
		return area
	case color.Gray16Model:
		return 2 * area
	case color.RGBAModel, color.NRGBAModel, color.CMYKModel:
		return 4 * area
	case color.NYCbCrAModel: // Cb and Cr have half as many columns and rows
		return 2*area + area/2
	case color.YCbCrModel:
		if mime == "image/webp" {
			return area + area/2
		}
		samples, of, _ := frameOf(data)
		return area * samples / of
	}
	if _, indexed := config.ColorModel.(color.Palette); indexed {
		return area
	}
	return 8 * area
}

// frameOf reads the frame header of a JPEG file. samples/of is the number of samples per pixel, since components may be
// subsampled; inScans is true if the file is progressive.
func frameOf(data []byte) (samples, of int64, inScans bool) {
	const head, perComponent = 6, 3
	for marker, frame := range segments(data) {
		if marker != sequentialFrame && marker != extendedFrame && marker != progressive || len(frame) < head {
			continue
		}
		components := frame[head:]
		components = components[:min(len(components), int(frame[head-1])*perComponent)]
		columns, rows := int64(1), int64(1)
		for ; len(components) >= perComponent; components = components[perComponent:] {
			h, v := int64(components[1]>>4), int64(components[1]&15)
			columns, rows, samples = max(columns, h), max(rows, v), samples+h*v
		}
		return samples, columns * rows, marker == progressive
	}
	return 3, 1, true
}

// workBytes returns how many bytes decoding takes in addition to the pixels: the coefficients of a progressive JPEG,
// which are kept until the last scan, the passes of an interlaced PNG, the working memory for a WebP, and the copy if
// the picture is rotated or drawn on a canvas.
func (img *Image) workBytes() int64 {
	const coefficient, rgba, interlace = 4, 4, 28
	area, work := int64(img.Width)*int64(img.Height), int64(0)
	switch {
	case img.Mime == "image/jpeg":
		if samples, of, inScans := frameOf(img.data); inScans {
			work = coefficient * area * samples / of
		}
	case img.Mime == "image/png" && len(img.data) > interlace && img.data[interlace] != 0:
		work = img.decoded
	case img.Mime == "image/webp":
		work = rgba * area
	}
	if img.orientation != 1 {
		work += rgba * area
	}
	return work
}

// scansOf returns the number of scans in a JPEG file.
func scansOf(data []byte) (n int) {
	for marker := range segments(data) {
		if marker == startOfScan {
			n++
		}
	}
	return n
}

// scaledBytes returns how many bytes scaling to the largest of the sizes takes: the intermediate picture, which has the
// new width and the original height, and the result.
func (img *Image) scaledBytes(sizes []Size) (most int64) {
	const rgba = 4
	for _, size := range sizes {
		if w, h, part, ok := fit(img.Width, img.Height, size); ok {
			most = max(most, rgba*int64(w)*int64(part.Dy()+h))
		}
	}
	return most
}

// gifBytes returns how many bytes the frames of a GIF take, and its canvas if the first frame does not fill it. It
// stops at a malformed block, as the decoder does.
func gifBytes(data []byte, config image.Config) int64 {
	const head, extension, frame, label = 13, '!', ',', 2
	if len(data) < head {
		return 0
	}
	total, frames := int64(0), 0
	rest := dataAfter(data[head:], colorTable(data[10]))
	for len(rest) > 0 {
		switch rest[0] {
		case extension:
			rest = afterBlocks(dataAfter(rest, label))
		case frame:
			const size = 10
			if len(rest) < size {
				return total
			}
			w, h := int(binary.LittleEndian.Uint16(rest[5:])), int(binary.LittleEndian.Uint16(rest[7:]))
			if frames++; frames == 1 && (w != config.Width || h != config.Height) {
				total += 4 * int64(config.Width) * int64(config.Height)
			}
			total += int64(w) * int64(h)
			rest = afterBlocks(dataAfter(rest, size+colorTable(rest[9])+1)) // 1 is the byte with the minimum code size
		default:
			return total
		}
	}
	return total
}

// colorTable returns the size in bytes of the colour table that a flags byte announces.
func colorTable(flags byte) int {
	const present, bits = 0x80, 7
	if flags&present == 0 {
		return 0
	}
	return 3 << (flags&bits + 1)
}

// afterBlocks returns the data after a sequence of sub-blocks. Each begins with its size; one of size 0 ends the
// sequence.
func afterBlocks(rest []byte) []byte {
	for len(rest) > 0 && rest[0] > 0 {
		rest = dataAfter(rest, 1+int(rest[0]))
	}
	return dataAfter(rest, 1)
}

func dataAfter(data []byte, n int) []byte { return data[min(n, len(data)):] }
