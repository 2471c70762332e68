package strtotime

// abbreviations gives the distance from UTC, in seconds, of the zone names
// that stand for a fixed offset. Where several places share a name, the one
// that PHP chooses is meant: IST is Israel's, BST Britain's summer time.
var abbreviations = map[string]int64{
	"utc": 0, "gmt": 0, "uct": 0, "z": 0,
	"a": 3600, "b": 7200, "c": 10800, "d": 14400, "e": 18000, "f": 21600,
	"g": 25200, "h": 28800, "i": 32400, "k": 36000, "l": 39600, "m": 43200,
	"n": -3600, "o": -7200, "p": -10800, "q": -14400, "r": -18000, "s": -21600,
	"t": -25200, "u": -28800, "v": -32400, "w": -36000, "x": -39600, "y": -43200,

	// Europe and the Middle East
	"wet": 0, "west": 3600, "wemt": 7200, "cet": 3600, "cest": 7200, "cemt": 10800,
	"eet": 7200, "eest": 10800, "met": 3600, "mest": 7200, "bst": 3600, "bdst": 7200,
	"msk": 10800, "msd": 14400, "ist": 7200, "idt": 10800, "iddt": 14400,

	// North America
	"nst": -12600, "ndt": -9000, "nwt": -9000, "npt": -9000, "nddt": -5400,
	"ast": -14400, "adt": -10800, "awt": -10800, "apt": -10800, "addt": -7200,
	"est": -18000, "edt": -14400, "ewt": -14400, "ept": -14400, "eddt": -10800,
	"cst": -21600, "cdt": -18000, "cwt": -18000, "cpt": -18000, "cddt": -14400,
	"mst": -25200, "mdt": -21600, "mwt": -21600, "mpt": -21600, "mddt": -18000,
	"pst": -28800, "pdt": -25200, "pwt": -25200, "ppt": -25200, "pddt": -21600,
	"yst": -32400, "ydt": -28800, "ywt": -28800, "ypt": -28800, "yddt": -25200,
	"akst": -32400, "akdt": -28800, "ahst": -36000, "ahdt": -32400,
	"hst": -36000, "hdt": -32400, "hwt": -34200, "hpt": -34200,

	// Africa
	"cat": 7200, "cast": 10800, "eat": 10800, "sast": 7200, "wat": 3600, "wast": 7200,

	// Asia
	"pkt": 18000, "pkst": 21600, "wib": 25200, "wita": 28800, "wit": 32400,
	"hkt": 28800, "hkst": 32400, "hkwt": 30600, "jst": 32400, "jdt": 36000, "kst": 30600, "kdt": 34200,

	// Australia and the Pacific
	"awst": 28800, "awdt": 32400, "acst": 34200, "acdt": 37800, "aest": 36000, "aedt": 39600,
	"nzst": 43200, "nzdt": 46800, "nzmt": 41400, "gst": 36000, "gdt": 39600, "chst": 36000, "sst": -39600,
}
