package schema

// Names of options. That of the roles includes the table prefix: see OptionUserRoles.
const (
	OptionHome                 = "home"
	OptionSiteURL              = "siteurl"
	OptionBlogName             = "blogname"
	OptionBlogDescription      = "blogdescription"
	OptionBlogCharset          = "blog_charset"
	OptionTimezone             = "timezone_string"
	OptionGMTOffset            = "gmt_offset" // in hours; used if timezone_string is empty
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
	OptionCron                 = "cron"           // WordPress's scheduled events; never written
	OptionPlugins              = "active_plugins" // serialized

	OptionCalendar         = "tribe_events_calendar_options" // serialized
	OptionCategoryChildren = "tribe_events_cat_children"     // serialized: {taxonomy}_children
	OptionLastSavePost     = "tribe_last_save_post"
	OptionRecurrence       = "tec_events_recurrence_active"                              // the plugin maintains recurring events
	OptionDateBase         = "tec_custom_tables_v1_provisional_post_base_provisional_id" // base of the ids that occurrences have in lists
	OptionLastUpdated      = "tribe_last_updated_option"

	OptionOwn       = "agenda_site"       // "1" if Agenda created the site: see DatesOwn
	OptionNoJournal = "agenda_no_journal" // "1" if the journal of such a site was removed, so that Install does not create it again
)

// OptionUserRoles returns the name of the option with the serialized roles of the site with a prefix.
func OptionUserRoles(prefix string) string { return prefix + "user_roles" }

// OptionChildren returns the name of the option with the serialized hierarchy of a taxonomy.
func OptionChildren(taxonomy string) string { return taxonomy + "_children" }
