// Package calendar serves an events calendar, with venues, organizers,
// categories and tags, as a JSON REST API, for reading and writing. It works on
// the tables of a WordPress-compatible database, together with the site that
// owns them or alone, and is mounted on a gin router:
//
//	db := bun.NewDB(pool, mysqldialect.New())
//	router := gin.New()
//	err := calendar.Register(router, calendar.Options{
//		DB: db,
//		Languages: []calendar.Language{
//			{Tag: "en", BaseURL: "https://example.org/wp-json"},
//			{Tag: "fr", BaseURL: "https://example.org/fr/wp-json"},
//		},
//	})
//
// The events are then at /wp-json/vendor/events/v1/events, and in French at
// /fr/wp-json/vendor/events/v1/events. The index of each root lists all routes,
// and /doc below it documents them as OpenAPI.
//
// Everybody can read what is published. The users of the site log in as they do
// there and may do what they may there (Options.Login); a host can authenticate
// its callers itself (Options.Authenticator). Hooks.OnChange is called for
// every committed change, Hooks.BeforeWrite is asked before each one. Options.Fields declares
// fields of the host's own, Options.Routes routes: docs/hosts.md leads through all of that.
//
// On a site of one's own, made by schema.Install or schema/embedded, nobody can log in at first: the program
// agenda adds users ("agenda user add"); a host without them gives its callers capabilities in an
// Authenticator, or writes by itself as a WithPrincipal.
//
// New returns the Calendar for hosts that need more than Register: an http.Handler for hosts
// without gin, unknown paths and methods in the API's form, statistics, the publishing of scheduled
// posts, and Close, which waits for background work. The examples are a manual: mounting, languages
// and texts, an authenticator, a change hook, a read replica. Those of package
// github.com/agendahq/agenda/schema/embedded/calendartest are whole programs on a site for tests.
package calendar
