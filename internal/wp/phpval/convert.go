package phpval

import "strconv"

// textDigits is PHP's default precision for converting a float to a string.
const textDigits = 14

// Truthy converts a value to a bool like PHP: false for null, false, 0, "", "0" and the empty array.
func Truthy(v Value) bool {
	switch x := v.(type) {
	case bool:
		return x
	case int64:
		return x != 0
	case int:
		return x != 0
	case float64:
		return x != 0
	case string:
		return x != "" && x != "0"
	case *Array:
		return x.Len() > 0
	case *Object:
		return true
	}
	return false
}

// Text converts a value to a string like PHP: "1" for true, "" for false and null, "Array" for an array.
func Text(v Value) string {
	switch x := v.(type) {
	case bool:
		if x {
			return "1"
		}
	case int64:
		return strconv.FormatInt(x, 10)
	case int:
		return strconv.Itoa(x)
	case float64:
		return formatFloat(x, textDigits)
	case string:
		return x
	case *Array:
		return "Array"
	}
	return ""
}

// Int converts a value to an int like PHP: for a string, the number at its beginning, without its fraction; for an
// array, 1, or 0 if it is empty. Numbers out of range become the nearest int64.
func Int(v Value) int64 {
	switch x := v.(type) {
	case bool:
		if x {
			return 1
		}
	case int64:
		return x
	case int:
		return int64(x)
	case float64:
		return bounded(x)
	case string:
		num, _ := Number(x)
		return wholeNumber(num)
	case *Array:
		if x.Len() > 0 {
			return 1
		}
	}
	return 0
}
