package measure

import (
	"math"
	"slices"
	"time"
)

// quantile returns the time within which a share of the requests was answered: the smallest one that at least that
// share did not exceed. sorted must be in ascending order.
func quantile(sorted []time.Duration, share float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(share * float64(len(sorted))))
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// median sorts the list and returns its median.
func median(took []time.Duration) time.Duration {
	slices.Sort(took)
	return quantile(took, 0.5)
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
