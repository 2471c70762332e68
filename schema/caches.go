package schema

import (
	"context"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Cache is a WordPress plugin that caches a site's data or pages, as far as the database shows it. A cache that was
// installed only as a file, such as an object-cache.php drop-in, leaves no trace in the database. So if none is found,
// there may still be one.
type Cache struct {
	Name  string
	Pages bool // caches whole pages only; the others keep rows beyond a request (persistent object cache)
}

// knownCache contains the signs of a Cache in the database. Any of them is sufficient.
type knownCache struct {
	Cache
	plugin   string   // its file in the list of active plugins
	options  []string // options of the site or its network that it stores
	enabled  string   // an option that is on if the cache keeps rows, or ""
	schedule string   // an event that it schedules in the option "cron"
}

// knownCaches are the known caches, in the order in which FindCaches returns them: those of pages last. Of two with one name
// that a site has, the first counts.
var knownCaches = []knownCache{
	{Cache: Cache{Name: "Redis Object Cache"}, plugin: "redis-cache/redis-cache.php", schedule: "rediscache_discard_metrics"},
	{Cache: Cache{Name: "Object Cache Pro"}, plugin: "object-cache-pro/object-cache-pro.php",
		options: []string{"objectcache_options", "objectcache_license", "objectcache_flushlog"}},
	{Cache: Cache{Name: "W3 Total Cache"}, plugin: "w3-total-cache/w3-total-cache.php",
		options: []string{"w3tc_state", "w3tc_extensions_hooks"}},
	{Cache: Cache{Name: "LiteSpeed Cache"}, enabled: "litespeed.conf.object"},
	{Cache: Cache{Name: "SQLite Object Cache"}, plugin: "sqlite-object-cache/sqlite-object-cache.php",
		options: []string{"sqlite_object_cache_settings", "sqlite_object_cache_version"}},
	{Cache: Cache{Name: "Docket Cache"}, plugin: "docket-cache/docket-cache.php"},
	{Cache: Cache{Name: "WP Redis"}, plugin: "wp-redis/wp-redis.php"},
	{Cache: Cache{Name: "Memcached Object Cache"}, plugin: "memcached/memcached.php"},
	{Cache: Cache{Name: "Memcached Redux"}, plugin: "memcached-redux/memcached-redux.php"},
	{Cache: Cache{Name: "atec Cache APCu"}, plugin: "atec-cache-apcu/atec-cache-apcu.php"},
	{Cache: Cache{Name: "LiteSpeed Cache", Pages: true}, plugin: "litespeed-cache/litespeed-cache.php"},
	{Cache: Cache{Name: "WP Super Cache", Pages: true}, plugin: "wp-super-cache/wp-cache.php", schedule: "wp_cache_gc",
		options: []string{"wpsupercache_gc_time", "wpsc_feed_list"}},
	{Cache: Cache{Name: "WP Rocket", Pages: true}, plugin: "wp-rocket/wp-rocket.php", options: []string{"wp_rocket_settings"}},
	{Cache: Cache{Name: "WP Fastest Cache", Pages: true}, plugin: "wp-fastest-cache/wpFastestCache.php"},
	{Cache: Cache{Name: "Cache Enabler", Pages: true}, plugin: "cache-enabler/cache-enabler.php"},
	{Cache: Cache{Name: "Hummingbird", Pages: true}, plugin: "hummingbird-performance/wp-hummingbird.php"},
	{Cache: Cache{Name: "Powered Cache", Pages: true}, plugin: "powered-cache/powered-cache.php"},
	{Cache: Cache{Name: "Breeze", Pages: true}, plugin: "breeze/breeze.php"},
}

// FindCaches returns the known caches that the database of a site shows, without duplicates. Object caches come before
// page caches.
func FindCaches(ctx context.Context, db *bun.DB, prefix string) ([]Cache, error) {
	site, err := Bind(db, prefix)
	if err != nil {
		return nil, err
	}
	return findCaches(ctx, site, prefix)
}

func findCaches(ctx context.Context, site bun.IDB, prefix string) (list []Cache, err error) {
	names := append(cacheOptions(), OptionPlugins, NetworkPlugins, OptionCron)
	options, network, err := storedOptions(ctx, site, prefix, names)
	if err == nil && network.Table != "" {
		err = networkCaches(ctx, site, network.Table, options)
	}
	if err != nil {
		return nil, err
	}
	files := ActivePlugins(options)
	events := scheduled(options[OptionCron])
	for _, c := range knownCaches {
		if c.shown(files, options, events) && !slices.ContainsFunc(list, func(o Cache) bool { return o.Name == c.Name }) {
			list = append(list, c.Cache)
		}
	}
	return list, nil
}

// cacheOptions returns the names of the options of known caches.
func cacheOptions() (names []string) {
	for _, c := range knownCaches {
		names = append(names, c.options...)
		if c.enabled != "" {
			names = append(names, c.enabled)
		}
	}
	return names
}

// networkCaches adds the options of known caches in the table of a multisite network.
func networkCaches(ctx context.Context, site bun.IDB, table string, options map[string]string) error {
	var stored []struct{ Name, Value string }
	err := site.NewSelect().TableExpr("?", bun.Ident(table)).ColumnExpr("meta_key AS name, COALESCE(meta_value, '') AS value").
		Where("meta_key IN (?)", bun.List(cacheOptions())).Scan(ctx, &stored)
	for _, o := range stored {
		options[o.Name] = o.Value
	}
	return err
}

func (c *knownCache) shown(files []string, options map[string]string, events map[string]bool) bool {
	return c.enabled != "" && wp.Truthy(options[c.enabled]) || slices.Contains(files, c.plugin) || events[c.schedule] ||
		slices.ContainsFunc(c.options, func(name string) bool { _, there := options[name]; return there })
}

// scheduled returns the names of the events in the option "cron", which maps times to events by name.
func scheduled(stored string) map[string]bool {
	names := map[string]bool{}
	for _, at := range phpval.ArrayOf(stored).All() {
		events, _ := at.(*phpval.Array)
		for name := range events.All() {
			names[name.String()] = true
		}
	}
	return names
}

// CacheWarning returns a warning if the site has known caches but no companion that invalidates them, or else "". ""
// does not mean that there is no cache.
func CacheWarning(ctx context.Context, db *bun.DB, prefix string) (string, error) {
	site, err := Bind(db, prefix)
	if err != nil {
		return "", err
	}
	return cacheWarning(ctx, site, prefix)
}

func cacheWarning(ctx context.Context, site bun.IDB, prefix string) (string, error) {
	caches, err := findCaches(ctx, site, prefix)
	if err != nil || len(caches) == 0 {
		return "", err
	}
	installed, err := HasCompanion(ctx, site, prefix)
	if err != nil || installed {
		return "", err
	}
	var rows, pages []string
	for _, c := range caches {
		if c.Pages {
			pages = append(pages, c.Name)
		} else {
			rows = append(rows, c.Name)
		}
	}
	if len(rows) == 0 {
		return "the site keeps copies of pages (" + strings.Join(pages, ", ") + "): it shows what was changed here only when they end", nil
	}
	return "the site keeps copies of rows (" + strings.Join(slices.Concat(rows, pages), ", ") +
		"): it goes on showing what was there before a write, writes it back when it saves, and accepts passwords that were revoked", nil
}

// CacheAdvice says what to do about a CacheWarning.
const CacheAdvice = "run \"agenda companion install\" and copy deploy/wordpress/agenda-companion.php into wp-content/mu-plugins: " +
	"see docs/caches.md"

// askCaches warns of known caches that are not notified of writes.
func askCaches(ctx context.Context, p *examinedDB) ([]Finding, error) {
	text, err := cacheWarning(ctx, p, p.prefix)
	if err != nil || text == "" {
		return nil, err
	}
	return []Finding{finding(Warning, "", CacheAdvice, "%s", text)}, nil
}
