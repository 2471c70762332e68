package wp

// RESTPlugins are plugins that block the REST API for visitors, or may do so, with their files. Their settings are not
// read, so they have no effect here. The plugin Members is supported by package members.
var RESTPlugins = []struct {
	File, Name string
	Always     bool // it blocks the API whenever it is active
}{
	{"disable-json-api/disable-json-api.php", "Disable REST API", true},
	{"disable-wp-rest-api/disable-wp-rest-api.php", "Disable WP REST API", true},
	{"wp-force-login/wp-force-login.php", "Force Login", true},
	{"wp-rest-api-authentication/miniorange-api-authentication.php", "WP REST API Authentication", false},
	{"better-wp-security/better-wp-security.php", "Solid Security", false},
	{"all-in-one-wp-security-and-firewall/wp-security.php", "All-In-One Security", false},
	{"restricted-site-access/restricted_site_access.php", "Restricted Site Access", false},
	{"password-protected/password-protected.php", "Password Protected", false},
	{"perfmatters/perfmatters.php", "Perfmatters", false},
	{"wp-hide-security-enhancer/wp-hide.php", "WP Hide & Security Enhancer", false},
}
