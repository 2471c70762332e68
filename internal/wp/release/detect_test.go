package release

import "testing"

// TestDetect checks that the options that contain the release count in order, if they agree with db_version (D82).
func TestDetect(t *testing.T) {
	block := func(version string) string {
		return StoredVersion(BlockFiles, `a:2:{s:7:"version";s:3:"`+version+`";s:5:"files";a:0:{}}`)
	}
	checked := func(version string) string {
		return StoredVersion(UpdateCheck, `O:8:"stdClass":3:{s:7:"updates";a:1:{i:0;O:8:"stdClass":1:{s:7:"version";s:3:"9.9";}}`+
			`s:12:"last_checked";i:1;s:15:"version_checked";s:3:"`+version+`";}`)
	}
	for name, c := range map[string]struct {
		block, checked, database string
		cache                    bool
		want                     Release
		from                     string
		newer                    bool
	}{
		"nothing stored":                {want: WP69},
		"an old site":                   {database: "58975", want: WP69, from: Database},
		"6.9 by its tables":             {database: "60717", want: WP69, from: Database},
		"7.0 and 7.1 by their tables":   {database: "61833", want: WP71, from: Database},
		"exact":                         {block: "7.0.4", checked: "7.1", database: "61833", want: WP70, from: BlockFiles},
		"exact at the last check":       {checked: "7.0.4", database: "61833", want: WP70, from: UpdateCheck},
		"6.9 exactly":                   {block: "6.9.4", checked: "6.9", database: "60717", want: WP69, from: BlockFiles},
		"of before an update":           {block: "6.9.4", checked: "7.1", database: "61833", want: WP71, from: UpdateCheck},
		"of before, with no other":      {block: "6.9.4", database: "61833", want: WP71, from: Database},
		"of before an object cache":     {block: "7.0.4", database: "61833", cache: true, want: WP71, from: Database},
		"tables that are not updated":   {block: "7.1", database: "60717", want: WP69, from: Database},
		"newer by its tables":           {database: "70000", want: Newest, from: Database, newer: true},
		"newer by its version":          {block: "7.2", database: "61833", want: Newest, from: BlockFiles, newer: true},
		"newer by both":                 {block: "8.0-beta1", database: "70000", want: Newest, from: BlockFiles, newer: true},
		"newer only before an old one":  {block: "7.2", checked: "7.1.1", database: "61833", want: WP71, from: UpdateCheck},
		"not a version":                 {block: "x", database: "61833", want: WP71, from: Database},
		"7.10 is another than 7.1":      {block: "7.10", database: "61833", want: Newest, from: BlockFiles, newer: true},
		"between the releases' numbers": {database: "61000", want: WP69, from: Database},
	} {
		options := map[string]string{Database: c.database}
		if c.block != "" {
			options[BlockFiles] = block(c.block)
		}
		if c.checked != "" {
			options[UpdateCheck] = checked(c.checked)
		}
		got := Detect(options, c.cache)
		if got.Release != c.want || got.From != c.from || got.Newer != c.newer {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if !IsObjectCache("redis-cache/redis-cache.php") || IsObjectCache("the-events-calendar/the-events-calendar.php") {
		t.Error("object caches are not known by their directories")
	}
}
