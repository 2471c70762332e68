// Reads the news feeds of the pages by two readers that others wrote, Atom and JSON Feed, and holds every entry against the same event
// as the API has it.
// usage: news.js ROOT PAGES TITLE ENDS_AFTER
import assert from 'node:assert/strict';

import { parseFeed } from '@rowanmanning/feed-parser';
import { parseJsonFeed } from 'feedsmith';

import { get, words } from './text.js';

const [root, pages, title, endsAfter] = process.argv.slice(2);
const json = async (path) => (await get(root + path)).json();
const instant = (utc) => `${utc.replace(' ', 'T')}.000Z`;
const size = 50; // of a feed

// events returns those that a feed is to have, with what both forms say of them.
const events = async (query) => {
	const list = await json(`/events?${new URLSearchParams({ ends_after: endsAfter, per_page: size, ...query })}`);
	return list.events.map((event) => ({
		id: `tag:site.test,2026:/event/${event.id}`, // on this site each has one occurrence
		url: event.url,
		title: words(event.title),
		published: instant(event.date_utc),
		updated: instant(event.modified_utc),
		tags: [...event.categories, ...event.tags].map(({ name }) => words(name)),
	}));
};

// readers read a feed, which is to have certain events and a name.
const readers = {
	atom: async (address, expected, name) => {
		const answer = await get(address);
		assert.equal(answer.headers.get('Content-Type'), 'application/atom+xml; charset=utf-8');
		const feed = parseFeed(await answer.text());
		assert.equal(feed.meta.type, 'atom');
		assert.equal(feed.title, name);
		assert.equal(feed.language, 'en');
		assert.equal(feed.self.replace(/^http:\/\/[^/]*/, ''), address.slice(pages.length));
		assert.equal(feed.updated.toISOString(), expected.map(({ updated }) => updated).sort().at(-1));
		return feed.items.map((item) => {
			assert.ok(item.description.length > 10, item.id);
			return {
				id: item.id,
				url: item.url,
				title: item.title,
				published: item.published.toISOString(),
				updated: item.updated.toISOString(),
				tags: item.categories.map(({ term }) => term),
			};
		});
	},
	json: async (address, expected, name) => {
		const answer = await get(address);
		assert.equal(answer.headers.get('Content-Type'), 'application/feed+json; charset=utf-8');
		const feed = parseJsonFeed(await answer.json());
		assert.equal(feed.title, name);
		assert.equal(feed.language, 'en');
		assert.equal(feed.feed_url.replace(/^http:\/\/[^/]*/, ''), address.slice(pages.length));
		assert.ok(feed.home_page_url.startsWith('http://site.test/'));
		return feed.items.map((item) => {
			assert.ok(item.content_text.length > 10, item.id);
			return {
				id: item.id,
				url: item.url,
				title: item.title,
				published: new Date(item.date_published).toISOString(),
				updated: new Date(item.date_modified).toISOString(),
				tags: item.tags ?? [],
			};
		});
	},
};

const { categories } = await json('/categories?per_page=50');
const { tags } = await json('/tags?per_page=50');
const filters = [['', {}, '']];
for (const [param, key, terms] of [['category', 'categories', categories], ['tag', 'tags', tags]]) {
	for (const term of terms) {
		filters.push([`?${new URLSearchParams({ [param]: decodeURIComponent(term.slug) })}`, { [key]: term.id }, ` · ${words(term.name)}`]);
	}
}
let [read, whole] = [0, 0];
for (const [query, asked, name] of filters) {
	const expected = await events(asked).catch((error) => (error.code === 'ERR_ASSERTION' ? [] : Promise.reject(error)));
	if (expected.length === 0) { // no such event is to come
		continue;
	}
	for (const [form, path] of [['atom', '/feed/'], ['json', '/feed/json/']]) {
		const found = await readers[form](pages + path + query, expected, title + name);
		assert.deepEqual(found, expected, `${form}, ${query}`);
		read += found.length;
	}
	whole++;
}
assert.ok(whole > 3 && read > 40, `${whole} feeds of each form, ${read} entries`);
console.log(`${whole} feeds of each form read, ${read} entries`);
