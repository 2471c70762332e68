package schema

// Names of options. The option of the roles has the table prefix: see OptionUserRoles.
const (
	OptionHome                 = "home"
	OptionSiteURL              = "siteurl"
	OptionBlogName             = "blogname"
	OptionBlogDescription      = "blogdescription"
	OptionBlogCharset          = "blog_charset"
	OptionTimezone             = "timezone_string"
	OptionGMTOffset            = "gmt_offset" // hours; for an empty timezone_string
	OptionPostsPerPage         = "posts_per_page"
	OptionPermalinks           = "permalink_structure"
	OptionCategoryBase         = "category_base"
	OptionTagBase              = "tag_base"
	OptionDateFormat           = "date_format"
	OptionTimeFormat           = "time_format"
	OptionStartOfWeek          = "start_of_week"
	OptionLanguage             = "WPLANG" // "" for English
	OptionUseSmilies           = "use_smilies"
	OptionUploadPath           = "upload_path"
	OptionUploadURLPath        = "upload_url_path"
	OptionUploadsByMonth       = "uploads_use_yearmonth_folders"
	OptionApplicationPasswords = "using_application_passwords"
	OptionDefaultComments      = "default_comment_status"
	OptionDefaultPings         = "default_ping_status"
	OptionDefaultRole          = "default_role"
	OptionStickyPosts          = "sticky_posts"   // serialized
	OptionCron                 = "cron"           // the site's; never written
	OptionPlugins              = "active_plugins" // serialized

	OptionCalendar         = "tribe_events_calendar_options" // serialized
	OptionCategoryChildren = "tribe_events_cat_children"     // serialized; {taxonomy}_children
	OptionLastSavePost     = "tribe_last_save_post"
	OptionRecurrence       = "tec_events_recurrence_active"                              // the events plugin makes several dates itself
	OptionDateBase         = "tec_custom_tables_v1_provisional_post_base_provisional_id" // what the ids of dates are above
	OptionLastUpdated      = "tribe_last_updated_option"

	OptionOwn       = "agenda_site"       // "1": the site is our own; see DatesOwn
	OptionNoJournal = "agenda_no_journal" // "1": the journal of such a site was removed, and Install makes none
)

// OptionUserRoles returns the name of the option with the serialized roles of the site with this prefix.
func OptionUserRoles(prefix string) string { return prefix + "user_roles" }

// OptionChildren returns the name of the option with the serialized tree of a taxonomy.
func OptionChildren(taxonomy string) string { return taxonomy + "_children" }
