package release

import (
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

// TestDetect checks that the options that contain the release count in order, if they agree with db_version (D82).
func TestDetect(t *testing.T) {
	block := func(version string) string {
		return StoredVersion(BlockFiles, `a:2:{s:7:"version";s:3:"`+version+`";s:5:"files";a:0:{}}`)
	}
	checked := func(version string) string {
		return StoredVersion(UpdateCheck, `O:8:"stdClass":3:{s:7:"updates";a:1:{i:0;O:8:"stdClass":1:{s:7:"version";s:3:"9.9";}}`+
			`s:12:"last_checked";i:1;s:15:"version_checked";s:3:"`+version+`";}`)
	}
	releases := map[string]Release{"6.9": WP69, "7.0": WP70, "7.1": WP71, "newest": Newest}
	rows := map[string]string{"block": BlockFiles, "checked": UpdateCheck, "database": Database}
	golden.Each(t, "detected.txt", func(name, inBlocks, inCheck, database string, cache bool, want, from string, newer bool) {
		options := map[string]string{Database: database}
		if inBlocks != "" {
			options[BlockFiles] = block(inBlocks)
		}
		if inCheck != "" {
			options[UpdateCheck] = checked(inCheck)
		}
		got := Detect(options, cache)
		if got.Release != releases[want] || got.From != rows[from] || got.Newer != newer {
			t.Errorf("%s: %+v", name, got)
		}
	})
	if !IsObjectCache("redis-cache/redis-cache.php") || IsObjectCache("the-events-calendar/the-events-calendar.php") {
		t.Error("object caches are not known by their directories")
	}
}
