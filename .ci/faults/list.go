package main

// faults are mistakes of the kind that happens when code moves: a line or a condition that is left behind. Each names
// the narrowest test that finds it. To try a new one: go run ./.ci/faults 'its name'.
var faults = []fault{
	// Who may do what.
	{
		name: "an update does not ask for the right to the item",
		pkg:  "internal/api", fn: "Adapter.restrictUpdate",
		find: "a.Service.MayUpdate(ctx, &r.Call, postType)", put: "true, nil",
		in: "calendar", test: "TestSuite/rights of one kind of posts",
	},
	{
		name: "a deletion asks for the right to edit",
		pkg:  "internal/item", fn: "Service.MayDelete",
		find: "site.CanDelete", put: "site.CanEdit",
		in: "calendar", test: "TestSuite/rights of roles with gaps",
	},
	{
		name: "context=edit is answered to everybody",
		pkg:  "internal/item", fn: "Service.CheckContext",
		find: "!content.CanEdit(ctx, p)", put: "p == nil",
		in: "internal/api", test: "TestD27",
	},
	{
		name: "a contributor publishes",
		pkg:  "internal/content", fn: "Service.applyStatus",
		find: "*f.Status == schema.StatusPublish || *f.Status == schema.StatusFuture",
		put:  "*f.Status == schema.StatusFuture",
		in:   "calendar", test: "TestSuite/statuses of updates",
	},
	{
		name: "an event changes a venue that was given to another author since",
		pkg:  "internal/linked", fn: "Linker.resolve",
		find: "site.CanEdit", put: "func(caller.Principal, site.Object) bool { return true }",
		in: "internal/api", test: "TestD16Rights",
	},
	{
		name: "files are taken from those who may not upload",
		pkg:  "internal/content", fn: "ImageFiles.saveFile",
		find: "!MayUpload(caller.From(ctx))", put: "false",
		in: "calendar", test: "TestSuite/D74 images as files",
	},
	{
		name: "HTML of authors is stored unfiltered",
		pkg:  "internal/content", fn: "sanitize",
		find: "filter(text, allowed)", put: "kses.Unfiltered(text, allowed)",
		in: "calendar", test: "TestSuite/security: no scripts in any field",
	},
	{
		name: "wrong passwords of one address are not counted",
		pkg:  "internal/auth", fn: "Limiter.failed",
		find: "a.address", put: "",
		in: "internal/auth", test: "TestLimitOfAnAddress",
	},
	{
		name: "a cookie holds without a nonce",
		pkg:  "internal/auth", fn: "Users.Authenticate",
		find: "case user != nil && !n.given: return caller.Principal{}, nil, nil",
		put:  "case user != nil && !n.given: return u.principal(ctx, user), nil, nil",
		in:   "internal/auth", test: "TestCookieAndNonce",
	},
	{
		name: "a batch forgets a right that the same request alone needs",
		pkg:  "internal/rest", fn: "request.operate",
		find: "!c.op.permits(c.Principal)", put: "c.part == nil && !c.op.permits(c.Principal)",
		in: "calendar", test: "TestSuite/batches: rights and languages",
	},
	{
		name: "a field of the host is shown to those who may not read it",
		pkg:  "internal/item", fn: "Service.OwnField",
		find: "Right: o.Read", put: "",
		in: "calendar", test: "TestSuite/fields of hosts",
	},
	{
		name: "a host's own route is handled without its caller",
		pkg:  "calendar", fn: "hostRouting.handling",
		find: "WithPrincipal(ctx, r.Principal)", put: "ctx",
		in: "example/hosts", test: "TestRouteTransactions",
	},
	{
		name: "a webhook is sent for an event that is hidden",
		pkg:  "internal/follow", fn: "Messages.about",
		find: "is && change.Status == schema.StatusPublish", put: "is",
		in: "example/agenda", test: "TestWebhooks",
	},
	{
		name: "an upload has no bound",
		pkg:  "internal/media", fn: "Fetcher.Inspect",
		find: "int64(len(data)) > f.Limit()", put: "false",
		in: "internal/media", test: "TestInspectSize",
	},

	// What lists select and link.
	{
		name: "lists show drafts of others",
		pkg:  "internal/content", fn: "Types.VisibleIn",
		find: "if site.CanRead(c, o) { v.Statuses = append(v.Statuses, status) }",
		put:  "if status != schema.StatusTrash { v.Statuses = append(v.Statuses, status) }",
		in:   "calendar", test: "TestSuite/D07 what a caller sees in lists",
	},
	{
		name: "the filter of categories is ignored",
		pkg:  "internal/event", fn: "assigned",
		find: "q.terms = append(q.terms, a.Terms)", put: "",
		in: "calendar", test: "TestSuite/D06 terms of events",
	},
	{
		name: "the filter of venues is ignored",
		pkg:  "internal/event", fn: "lister.linking",
		find: "q.where(eventlist.Linking{Key: kind.LinkKey, IDs: ids})", put: "",
		in: "calendar", test: "TestSuite/totals of each filter and caller",
	},
	{
		name: "links to other pages lose the filter featured",
		pkg:  "internal/event", fn: "featured",
		find: "q.Links.Add(string(paramFeatured), oneOrZero(on))", put: "",
		in: "calendar", test: "TestSuite/D02 addresses carry every filter",
	},
	{
		name: "a search finds protected events",
		pkg:  "internal/event", fn: "lister.listFilters",
		find: "Hides: true, Apply: l.search", put: "Apply: l.search",
		in: "calendar", test: "TestSuite/D51 filters on what an answer hides",
	},
	{
		name: "the end of a range is compared with starts",
		pkg:  "internal/event", fn: "dateParams",
		find: "paramEnd, true", put: "paramEnd, false",
		in: "calendar", test: "TestSuite/date parameters",
	},
	{
		name: "the total of a later page is that of the page",
		pkg:  "internal/call", fn: "Page.Count",
		find: "(p.Number-1)*p.Size + n", put: "n",
		in: "calendar", test: "TestSuite/D32 pages never overlap",
	},
	{
		name: "a total is kept when its tables change",
		pkg:  "internal/change", fn: "Cache.find",
		find: "v.epoch == epoch", put: "true",
		in: "internal/store", test: "TestTotalsAreCountedWhenTheirTablesChange",
	},
	{
		name: "what is read before the tables have settled is kept",
		pkg:  "internal/change", fn: "Get",
		find: "state.Settled(of)", put: "true",
		in: "internal/change", test: "TestGetWhileUnsettled",
	},
	{
		name: "what is kept outlives an own commit",
		pkg:  "internal/change", fn: "Tracker.Commit",
		find: "c.committed = c.now(); c.renew(reasonOwn, true)", put: "c.committed = c.now()",
		in: "internal/change", test: "TestOwnCommits",
	},
	{
		name: "an answer from memory is that of another language",
		pkg:  "internal/rest", fn: "request.cacheKey",
		find: `c.Root.URL + "\n" + c.address(c.route.Path)`, put: "c.address(c.route.Path)",
		in: "calendar", test: "TestSuite/answers from memory for nobody else",
	},
	{
		name: "a request with a login is answered by its address alone",
		pkg:  "internal/rest", fn: "addressOf",
		find: "len(r.Header[name]) > 0", put: "len(r.Header[name]) > 1",
		in: "internal/rest", test: "TestShortcuts",
	},
	{
		name: "answers from memory stay open when the API is closed to anonymous callers",
		pkg:  "internal/rest", fn: "Engine.serveKept",
		find: "!settings.Members.PrivateAPI", put: "settings != nil",
		in: "internal/rest", test: "TestShortcuts",
	},
	{
		name: "near reads all venues, not those of its box",
		pkg:  "internal/item", fn: "Selection.Near",
		find: "env.Content.Store.Links.Located(s.Ctx, visible, boxes(at.lat, at.lng, km)...)",
		put:  "env.Content.Store.Links.Located(s.Ctx, visible)",
		in:   "calendar", test: "TestVenuesNear",
	},
	{
		name: "with --max-stale an answer is older than that",
		pkg:  "internal/rest", fn: "AnswerCache.young",
		find: "time.Since(e.looked) <= cache.maxStale", put: "true",
		in: "internal/test/exact", test: "TestAtMostStale",
	},
	{
		name: "a replica that lacks a write is read by who wrote",
		pkg:  "internal/replica", fn: "writer.seen",
		find: "reached.Reached(w.position)", put: "true",
		in: "calendar", test: "TestReplicas",
	},
	{
		name: "a page of sync skips items",
		pkg:  "internal/api", fn: "syncPage.all",
		find: "at = idOf(p.items[size-1])", put: "",
		in: "calendar", test: "TestSuite/sync: begin, change, end",
	},

	// What answers show.
	{
		name: "times in UTC are those of the event's zone",
		pkg:  "internal/event", fn: "edges.settle",
		find: "strtotime.Wall(at.UTC())", put: "strtotime.Wall(at)",
		in: "internal/event", test: "TestRecordedSchedules",
	},
	{
		name: "a feed shows the description of a protected event",
		pkg:  "internal/feed", fn: "writeEntry",
		find: `if !e.Masked {
				if text := wp.PlainText(separators.Replace(e.Content(p))); text != "" { w.Text("DESCRIPTION", text) }
			}`,
		put: `w.Text("DESCRIPTION", wp.PlainText(e.Content(p)))`,
		in:  "calendar", test: "TestSuite/feeds and passwords",
	},
	{
		name: "what is searched for is unescaped in the pages",
		pkg:  "calendar/pages", fn: "inLanguage",
		find: "text = template.HTMLEscapeString(text)", put: "",
		in: "calendar/pages", test: "TestPages",
	},
	{
		name: "pages lose the filters when the language changes",
		pkg:  "calendar/pages", fn: "state.values",
		find: `st.slugs[i] != ""`, put: "false",
		in: "calendar/pages", test: "TestPages",
	},
	{
		name: "of a time that the clock shows twice the second is written as the first",
		pkg:  "internal/ical", fn: "Writer.Local",
		find: "repeated(t)", put: "false",
		in: "calendar/exchange", test: "TestTimesShownTwice",
	},
	{
		name: "commas in iCalendar texts are not escaped",
		pkg:  "internal/ical", fn: "escapes",
		find: "\",\", `\\,`", put: "",
		in: "internal/ical", test: "TestLines",
	},
	{
		name: "folded iCalendar lines keep their space",
		pkg:  "internal/ical", fn: "lineReader.next",
		find: "rest = rest[1:]", put: "",
		in: "internal/ical", test: "TestRead",
	},
	{
		name: "a timeout does not say when to come again",
		pkg:  "internal/rest", fn: "ErrTimeout",
		find: `apierror.New(http.StatusServiceUnavailable, "rest_timeout", "error_timeout").After(soon)`,
		put:  `apierror.New(http.StatusServiceUnavailable, "rest_timeout", "error_timeout")`,
		in:   "internal/rest", test: "TestErrors",
	},
	{
		name: "an error does not name the field of an event's venue",
		pkg:  "internal/linked", fn: "Linker.fault",
		find: "param.Refuse(r.kind.Name, f)", put: "f",
		in: "internal/api", test: "TestD16Rights",
	},
	{
		name: "an answer lacks the surrogate keys of its terms",
		pkg:  "internal/item", fn: "Resource.RecordKeys",
		find: "noteTerms(keys, k, it)", put: "",
		in: "calendar", test: "TestTags",
	},

	// What writes store.
	{
		name: "If-Match is ignored",
		pkg:  "internal/item", fn: "postWrite.update",
		find: "p.Rules.Match(ctx, w.call, e)", put: "error(nil)",
		in: "calendar", test: "TestSuite/D26 writes meant for another state",
	},
	{
		name: "the answer to an Idempotency-Key is not stored",
		pkg:  "internal/api", fn: "Adapter.once",
		find: "a.Service.Content.Store.Idempotency.Answer(ctx, o.Key, packed)", put: "nil",
		in: "calendar", test: "TestSuite/D78 answers given again",
	},
	{
		name: "an image stays after its write failed",
		pkg:  "internal/content", fn: "images.remove",
		find: "i.saved", put: "[]*media.Saved(nil)",
		in: "calendar", test: "TestSuite/D74 images as files",
	},
	{
		name: "two posts have one slug",
		pkg:  "internal/content", fn: "Slugs.freeSlug",
		find: "!used && !slices.Contains(reservedSlugs, free)", put: "!used || !slices.Contains(reservedSlugs, free)",
		in: "internal/content", test: "TestSlugOfAnother",
	},
	{
		name: "events keep their links to a venue in the trash",
		pkg:  "internal/content", fn: "Service.update",
		find: "s.unlink(ctx, d)", put: "nil",
		in: "internal/content", test: "TestD39TrashAndBack",
	},
	{
		name: "the counts of terms stay when an event becomes a draft",
		pkg:  "internal/content", fn: "postTerms.termChanges",
		find: "was != published", put: "false",
		in: "calendar", test: "TestSuite/counts of terms",
	},
	{
		name: "an event loses its terms in taxonomies of other programs",
		pkg:  "internal/content", fn: "postTerms.termChanges",
		find: "t == taxonomy", put: `t != ""`,
		in: "calendar", test: "TestSuite/D14 what an event has already",
	},
	{
		name: "a write deletes meta rows of other programs",
		pkg:  "internal/content", fn: "Edit.metaChange",
		find: "if m.Key == key { c.Delete = append(c.Delete, m.ID) }", put: "c.Delete = append(c.Delete, m.ID)",
		in: "internal/api", test: "TestModifiedFields",
	},
	{
		name: "the dates of an event with several are changed",
		pkg:  "internal/content", fn: "editedDates.refuse",
		find: "!settings.WritesDates", put: "false",
		in: "calendar", test: "TestSuite/D65 D66 events with several dates",
	},
	{
		name: "meta rows are written outside the transaction",
		pkg:  "internal/store", fn: "Posts.ChangeMeta",
		find: "w.conn(TablePostMeta).NewInsert()", put: "s.db.pool.DB.NewInsert()",
		in: "calendar", test: "TestSuite/D20 failing statements of writes",
	},
	{
		name: "hooks run before the commit",
		pkg:  "internal/content", fn: "Run",
		find: "attempts.End(images.bounded(err))",
		put: `for _, n := range done.noted {
				if s.Changed != nil { s.Changed(ctx, n.changes) }
			}
			done.noted = nil
			attempts.End(images.bounded(err))`,
		in: "calendar", test: "TestSuite/changes reported after the commit",
	},
	{
		name: "a batch does not write the counts of terms",
		pkg:  "internal/content", fn: "Service.settle",
		find: "n != 0 && !u.recount[id]", put: "n != 0 && id == 0",
		in: "calendar/exchange", test: "TestImportsOfOneFileAtOnce",
	},
	{
		name: "a category becomes its own ancestor",
		pkg:  "internal/term", fn: "termWrite.settle",
		find: "slices.Contains(tree[is.Parent].Ancestors(tree), tree[was.ID])", put: "false",
		in: "calendar", test: "TestSuite/D21 faults of terms",
	},
	{
		name: "a batch in one transaction stores what came before a refused request",
		pkg:  "internal/rest", fn: "batch.all",
		find: "if err != nil { return err }", put: "if err != nil { break }",
		in: "calendar", test: "TestSuite/batches in one transaction",
	},
	{
		name: "a change is not noted for the journal",
		pkg:  "internal/content", fn: "Service.update",
		find: "s.Changes.noteEdit(ctx, d, op, d.Stored.Status, terms.rows())", put: "error(nil)",
		in: "calendar", test: "TestSuite/changes reported to the hook",
	},
	{
		name: "a rule with an end loses its dates behind the horizon",
		pkg:  "internal/content", fn: "series.make",
		find: "r.Endless()", put: "true",
		in: "calendar", test: "TestSuite/D69 rules that are given",
	},

	// What imports and exports transfer.
	{
		name: "a CSV export leaves categories and tags out",
		pkg:  "calendar/exchange", fn: "CSVWriter.cellsOf",
		find: "termPaths(k, list)", put: "termPaths(k, nil)",
		in: "calendar/exchange", test: "TestTablesComeBack",
	},
	{
		name: "an import replaces an event by the UID of another site's feed",
		pkg:  "calendar/exchange", fn: "run.ownID",
		find: `found == nil || r.site == "" || !strings.EqualFold(found[2], r.site)`, put: "found == nil",
		in: "calendar/exchange", test: "TestD77UIDsOfOtherSites",
	},
	{
		name: "an import takes an event of another source that has the same short UID",
		pkg:  "calendar/exchange", fn: "recordImport.match",
		find: "isGlobalUID(rec.UID)", put: "true",
		in: "calendar/exchange", test: "TestD77UIDsOfOtherSites",
	},
	{
		name: "the files of a save that was given up stay",
		pkg:  "internal/media", fn: "Store.Save",
		find: "!done", put: "!done && false",
		in: "internal/media", test: "TestSaveGivenUp",
	},
	{
		name: "the second event of one UID replaces the first",
		pkg:  "calendar/exchange", fn: "recordImport.event",
		find: "again && o.Action == Updated", put: "again && false",
		in: "calendar/exchange", test: "TestSameUIDTwice",
	},
	{
		name: "an import takes from any source what only a trusted one may give",
		pkg:  "calendar/exchange", fn: "recordImport.values",
		find: "m.importer.Trust", put: "true",
		in: "calendar/exchange", test: "TestD77WhoMayDoWhat",
	},
}
