package media

import (
	"encoding/binary"
	"image"
	"image/color"
)

// decodedBytes returns how many bytes the decoded pixels of an image file take, those
// of all frames of an animation together. It decodes nothing of the file.
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
	case color.NYCbCrAModel: // with half as many columns and rows of colour
		return 2*area + area/2
	case color.YCbCrModel:
		if mime == "image/webp" {
			return area + area/2
		}
		return jpegBytes(data, area)
	}
	if _, indexed := config.ColorModel.(color.Palette); indexed {
		return area
	}
	return 8 * area
}

// jpegBytes adds up the components of a JPEG file, which may have fewer columns and
// rows than the picture.
func jpegBytes(data []byte, area int64) int64 {
	const sequential, extended, progressive = 0xC0, 0xC1, 0xC2
	const head, perComponent = 6, 3
	for marker, frame := range segments(data) {
		if marker != sequential && marker != extended && marker != progressive || len(frame) < head {
			continue
		}
		components := frame[head:]
		components = components[:min(len(components), int(frame[head-1])*perComponent)]
		columns, rows, samples := int64(1), int64(1), int64(0)
		for ; len(components) >= perComponent; components = components[perComponent:] {
			h, v := int64(components[1]>>4), int64(components[1]&15)
			columns, rows, samples = max(columns, h), max(rows, v), samples+h*v
		}
		return area * samples / (columns * rows)
	}
	return 3 * area
}

// gifBytes adds up the frames of a GIF file, and the canvas if the first frame does
// not fill it. It ends at a broken block, after which nothing is decoded.
func gifBytes(data []byte, config image.Config) int64 {
	const head, extension, frame, label = 13, '!', ',', 2
	if len(data) < head {
		return 0
	}
	total, frames := int64(0), 0
	rest := after(data[head:], colorTable(data[10]))
	for len(rest) > 0 {
		switch rest[0] {
		case extension:
			rest = afterBlocks(after(rest, label))
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
			rest = afterBlocks(after(rest, size+colorTable(rest[9])+1)) // the byte is the size of codes
		default:
			return total
		}
	}
	return total
}

// colorTable returns the size of the colour table that flags announce, in bytes.
func colorTable(flags byte) int {
	const present, bits = 0x80, 7
	if flags&present == 0 {
		return 0
	}
	return 3 << (flags&bits + 1)
}

// afterBlocks returns the data after a row of blocks, each of which begins with its
// size; an empty one ends it.
func afterBlocks(rest []byte) []byte {
	for len(rest) > 0 && rest[0] > 0 {
		rest = after(rest, 1+int(rest[0]))
	}
	return after(rest, 1)
}

func after(data []byte, n int) []byte { return data[min(n, len(data)):] }
