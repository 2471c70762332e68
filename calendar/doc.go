// Package calendar serves an events calendar, with venues, organizers,
// categories and tags, as a JSON REST API. It reads the tables of a
// WordPress-compatible database, beside the site that owns them or alone, and
// mounts on a gin router:
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
// /fr/wp-json/vendor/events/v1/events. New gives the handle for hosts that
// want more than that: unknown paths in the API's form, statistics.
package calendar
