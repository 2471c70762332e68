// Package calendar serves an events calendar, with venues, organizers, categories and tags, as a JSON REST API for
// reading and writing. It works on the database of a WordPress site with The Events Calendar, next to that site or
// without it, and is mounted on a gin router:
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
// The events are then at /wp-json/vendor/events/v1/events, and in French at /fr/wp-json/vendor/events/v1/events. The
// index of each root lists all routes, and /doc below it documents them as OpenAPI.
//
// Everybody can read what is published. The users of the site log in with their application passwords or the site's
// cookie, and have the rights that they have on the site (Options.Login). A host can authenticate callers itself
// (Options.Authenticator). Hooks.OnChange is called after every committed change; Hooks.BeforeWrite is called before
// each one and can reject it. Options.Fields declares fields of the host's own, Options.Routes routes. docs/hosts.md
// describes all of this.
//
// On a standalone site, created by schema.Install or schema/embedded, nobody can log in at first. The program agenda
// adds users ("agenda user add"). A host without users returns capabilities from an Authenticator, or writes in the
// process with WithPrincipal.
//
// New returns the Calendar for hosts that need more than Register: an http.Handler for hosts without gin, answers to
// unknown paths and methods in the API's form, statistics, publishing of scheduled posts, and Close, which waits for
// background work. The examples show mounting, languages and messages, an authenticator, a change hook, and a read
// replica. The examples of package github.com/agendahq/agenda/schema/embedded/calendartest are complete programs on a
// site for tests.
package calendar
