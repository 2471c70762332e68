package schema

import _ "embed"

// defaultRoles is the serialized value of the option wp_user_roles as WordPress stores it for a new site:
// administrator, editor, author, contributor and subscriber.
//
//go:embed roles.txt
var defaultRoles string

// InstalledOptions returns the options that Install creates for a new site, by name.
func InstalledOptions(prefix string) map[string]string {
	values := map[string]string{}
	for _, o := range defaultOptions(prefix) {
		values[o.Name] = o.Value
	}
	return values
}

// defaultOptions returns the options of a new site. Its URL is that of the example server; a host with another one sets
// "home" and "siteurl".
func defaultOptions(prefix string) []*Option {
	loaded := [][2]string{
		{OptionUserRoles(prefix), defaultRoles},
		{OptionHome, "http://localhost:8080"}, {OptionSiteURL, "http://localhost:8080"},
		{OptionBlogName, "Agenda"}, {OptionBlogDescription, ""}, {OptionBlogCharset, "UTF-8"},
		{OptionTimezone, "UTC"}, {OptionGMTOffset, "0"}, {OptionStartOfWeek, "1"},
		{OptionDateFormat, "F j, Y"}, {OptionTimeFormat, "g:i a"}, {OptionLanguage, ""}, {OptionUseSmilies, "1"},
		{OptionPostsPerPage, "10"}, {OptionPermalinks, "/%postname%/"}, {OptionCategoryBase, ""}, {OptionTagBase, ""},
		{OptionStickyPosts, "a:0:{}"}, {OptionDefaultComments, "open"}, {OptionDefaultPings, "open"}, {OptionDefaultRole, "subscriber"},
		{OptionUploadPath, ""}, {OptionUploadURLPath, ""}, {OptionUploadsByMonth, "1"},
		{"thumbnail_size_w", "150"}, {"thumbnail_size_h", "150"}, {"thumbnail_crop", "1"},
		{"medium_size_w", "300"}, {"medium_size_h", "300"}, {"medium_large_size_w", "768"}, {"medium_large_size_h", "0"},
		{"large_size_w", "1024"}, {"large_size_h", "1024"},
		{OptionOwn, "1"},
	}
	options := make([]*Option, 0, len(loaded)+1)
	for _, o := range loaded {
		options = append(options, &Option{Name: o[0], Value: o[1], Autoload: "on"})
	}
	return append(options, &Option{Name: OptionApplicationPasswords, Value: "1", Autoload: "off"})
}
