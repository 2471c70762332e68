package jsonschema

// InUse returns the number of schemas that Shared keeps.
func InUse() int {
	inUse.Lock()
	defer inUse.Unlock()
	return len(inUse.of)
}
