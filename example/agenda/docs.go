package main

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/example/internal/docs"
	"github.com/agendahq/agenda/internal/rest"
)

// docsPath is the path of the HTML documentation, below that of the pages.
const docsPath = "/docs/"

// document returns the path of the language version's OpenAPI document. namespace is that of the API.
func (v version) document(namespace string) string {
	return v.mount + "/" + strings.Trim(namespace, "/") + "/doc"
}

// mountDocs mounts the documentation of every language version.
func mountDocs(router gin.IRouter, namespace string, versions []version) error {
	for _, v := range versions {
		base := v.prefix + docsPath
		public, err := url.Parse(v.baseURL)
		if err != nil {
			return err
		}
		handler, err := docs.New(docs.Options{
			Title: "API", Document: v.document(namespace), Base: base, Origin: public.Scheme + "://" + public.Host,
		})
		if err != nil {
			return err
		}
		mount := func(path string, h gin.HandlerFunc) {
			router.GET(path, h)
			router.HEAD(path, h)
		}
		mount(strings.TrimSuffix(base, "/"), func(c *gin.Context) { c.Redirect(http.StatusMovedPermanently, base) })
		mount(base, gin.WrapH(handler))
		for _, name := range docs.Assets {
			mount(base+name, gin.WrapH(handler))
		}
	}
	return nil
}

// leadToDocs redirects browsers from the OpenAPI document to the HTML documentation. Browsers prefer HTML in their
// Accept header; programs do not.
func leadToDocs(namespace string, versions []version) gin.HandlerFunc {
	pages := map[string]string{}
	for _, v := range versions {
		pages[v.document(namespace)] = v.prefix + docsPath
	}
	return func(c *gin.Context) {
		page, ok := pages[strings.TrimSuffix(c.Request.URL.Path, "/")]
		if !ok || c.Request.Method != http.MethodGet && c.Request.Method != http.MethodHead {
			return
		}
		c.Writer.Header().Add("Vary", "Accept")
		if rest.Prefers(c.Request.Header.Values("Accept"), "text/html") {
			c.Redirect(http.StatusFound, page)
			c.Abort()
		}
	}
}
