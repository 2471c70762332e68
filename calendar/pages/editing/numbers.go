package editing

import "strconv"

func decimal(n int64) string { return strconv.FormatInt(n, 10) }
