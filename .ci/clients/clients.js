// Uses the example as programs for sites of this kind do: given the address of a page,
// they find the API, list, page, write and read the totals.
// usage: clients.js PAGES LOGIN PASSWORD
import assert from 'node:assert/strict';

import apiFetch from '@wordpress/api-fetch';
import WPAPI from 'wpapi';

const [pages, username, password] = process.argv.slice(2);
const namespace = 'vendor/events/v1';
const everything = { start_date: '2000-01-01', end_date: '2100-01-01' };

// discover reports a failure there, and goes on with a default.
console.error = (err) => { throw err; };
const french = await WPAPI.discover(`${pages}/fr/`);
assert.equal(french._options.endpoint, `${pages}/fr/wp-json/`);
const site = await WPAPI.discover(pages);
const events = () => site.namespace(namespace).events();

// Following next visits each event once.
let page = await events().param(everything).perPage(7);
const { total, totalPages } = page._paging;
assert.deepEqual([total, totalPages, page._paging.prev], [page.total, Math.ceil(total / 7), undefined]);
assert.ok(totalPages > 2);
const seen = new Set(page.events.map(({ id }) => id));
let turned = 1;
for (; page._paging.next; turned++) {
	page = await page._paging.next;
	page.events.forEach(({ id }) => seen.add(id));
}
assert.deepEqual([turned, seen.size], [totalPages, total]);
const before = await page._paging.prev;
assert.equal(new URL(before._paging.links.next).searchParams.get('page'), String(totalPages));

// What needs escaping is the same on the next page.
const words = 'é & "b", <c>;d=100%';
const places = await site.namespace(namespace).venues().param('note', words).perPage(1);
assert.equal(new URL(places._paging.links.next).searchParams.get('note'), words);

site.auth({ username, password });
const made = await events().create({ title: 'Made by a client', start_date: '2032-03-04 10:00:00', end_date: '2032-03-04 12:00:00' });
assert.equal((await events().id(made.id)).start_date, '2032-03-04 10:00:00');
const stranger = WPAPI.site(`${pages}/wp-json`).auth({ username, password: 'wrong' });
await assert.rejects(stranger.root(`${namespace}/events/${made.id}`).auth().get(), { code: 'incorrect_password' });
await assert.rejects(site.root('wp/v2/posts').get(), { code: 'rest_no_route' });

apiFetch.use(apiFetch.createRootURLMiddleware(`${pages}/wp-json/`));
const root = await apiFetch({ path: '/' });
assert.deepEqual([root.namespaces, root.home], [[namespace], pages]);
assert.ok(root.authentication['application-passwords'] && root.routes[`/${namespace}/events/(?P<id>\\d+)`]);
const list = await apiFetch({ path: `/${namespace}/events?per_page=7&start_date=2000-01-01&end_date=2100-01-01`, parse: false });
const totals = ['X-WP-Total', 'X-WP-TotalPages'].map((name) => Number(list.headers.get(name)));
assert.deepEqual(totals, [total + 1, Math.ceil((total + 1) / 7)]);
assert.equal((await list.json()).total, totals[0]);

// It sends PUT and DELETE as a POST with a header.
const headers = { Authorization: `Basic ${btoa(`${username}:${password}`)}` };
const path = `/${namespace}/events/${made.id}`;
assert.equal((await apiFetch({ path, method: 'PUT', headers, data: { title: 'Renamed' } })).title, 'Renamed');
await apiFetch({ path, method: 'DELETE', headers });
await assert.rejects(apiFetch({ path }), { code: 'event-no-longer-available' });
await assert.rejects(apiFetch({ path: '/wp/v2/posts' }), { code: 'rest_no_route' });

console.log(`${total} events on ${totalPages} pages; one written, renamed and put into the trash`);
