package main

import (
	"bytes"
	"context"
	"embed"
	"html/template"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
)

//go:embed town.css logo.svg
var files embed.FS

// parts contains the parts that every page of the site has, including those of the calendar.
var parts = template.Must(template.New("").Parse(`
{{define "head"}}<meta name="author" content="Town of Riverton">{{end}}
{{define "header"}}<header class="town">
<a class="name" href="/"><img src="/logo.svg" alt="" width="44" height="44"> Town of Riverton</a>
<nav aria-label="Town"><ul>
<li><a href="/"{{if eq . "home"}} aria-current="page"{{end}}>Town hall</a></li>
<li><a href="/agenda/"{{if eq . "agenda"}} aria-current="true"{{end}}>What is on</a></li>
</ul></nav>
</header>{{end}}
{{define "footer"}}<footer class="town"><p>Town of Riverton, 1 Mill Lane · open on weekdays from nine to five</p></footer>{{end}}
{{define "home"}}<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Town of Riverton</title>
<link rel="stylesheet" href="/town.css">
<link rel="icon" href="/logo.svg">
{{template "head"}}
</head>
<body>
{{template "header" "home"}}
<main class="home"><h1>Welcome to Riverton</h1>
<p>The library, the mill and the concert hall are open all year. <a href="/agenda/">See what is on</a>.</p></main>
{{template "footer"}}
</body>
</html>{{end}}`))

// renderPart returns one of the parts. It contains no input of visitors.
func renderPart(name, where string) template.HTML {
	var out bytes.Buffer
	if err := parts.ExecuteTemplate(&out, name, where); err != nil {
		panic(err) // cannot happen: the templates are constants
	}
	return template.HTML(out.String())
}

// always returns a function for pages.Options that returns the same HTML for each request.
func always(html template.HTML) func(context.Context) template.HTML {
	return func(context.Context) template.HTML { return html }
}

// newSite returns the site of the town, whose address is origin.
func newSite(ctx context.Context, db *bun.DB, origin string) (http.Handler, error) {
	none := 0.0
	c, err := calendar.New(ctx, calendar.Options{
		DB: db, Site: calendar.Site{URL: origin},
		Languages: []calendar.Language{{Tag: "en", BaseURL: origin + "/agenda/wp-json", SiteURL: origin + "/agenda"}},
		Fields: []calendar.Field{
			{Kind: "events", Name: "seats", Key: "_town_seats", Type: calendar.FieldNumber, Min: &none, Label: "Seats",
				Description: "How many seats there are."},
			{Kind: "events", Name: "step_free", Key: "_town_step_free", Type: calendar.FieldYesNo, Label: "No steps",
				Description: "Whether the entrance has no steps."},
		},
		Filters: []calendar.Filter{
			{Kind: "events", Field: "seats", Op: calendar.FilterRange, Description: "Events by their seats."},
			{Kind: "events", Field: "step_free", Op: calendar.FilterEquals, Description: "Events without steps."},
		},
	})
	if err != nil {
		return nil, err
	}
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.GET("/", func(g *gin.Context) {
		g.Data(http.StatusOK, "text/html; charset=utf-8", []byte(renderPart("home", "")))
	})
	router.GET("/robots.txt", func(g *gin.Context) {
		g.String(http.StatusOK, "User-agent: *\n\nSitemap: "+origin+"/agenda/sitemap.xml\n")
	})
	for _, name := range []string{"town.css", "logo.svg"} {
		router.StaticFileFS("/"+name, name, http.FS(files))
	}
	if err := c.Register(router); err != nil {
		return nil, err
	}
	shown := pages.New(c, pages.Options{
		Title: "What is on in Riverton", Colour: "#0b6e5f", Stylesheet: "/town.css",
		Head: always(renderPart("head", "")), Header: always(renderPart("header", "agenda")), Footer: always(renderPart("footer", "")),
	})
	return router, shown.Register(router)
}
