// Reads the feed of the recorded site by two readers that others wrote, and holds every
// field of each event against the same event as JSON.
// usage: read.js ROOT
import assert from 'node:assert/strict';

import ICAL from 'ical.js';
import nodeICal from 'node-ical';

import { get as getAt, words } from './text.js';

const [root] = process.argv.slice(2);
const everything = 'start_date=2018-01-01&end_date=2036-01-01';
const get = (path) => getAt(root + path);
const json = async (path) => (await get(path)).json();

// Titles in JSON have typographic marks, the site's own feed has what was typed.
const marks = { '“': '"', '”': '"', '‘': "'", '’': "'", '–': '--', '—': '--', '×': 'x', '…': '...' };
const typed = (text) => words(text).replace(/[“”‘’–—×…]/g, (mark) => marks[mark]);

const seconds = (wall) => Date.parse(`${wall.replace(' ', 'T')}Z`) / 1000;
const utc = (text) => `${text.replace(' ', 'T')}.000Z`;
const day = (wall, days) => new Date((seconds(wall.slice(0, 10) + ' 00:00:00') + days * 86_400) * 1000).toISOString().slice(0, 10);

// expected is what an event's JSON says of each field. JSON-LD has the instants, also
// those of fixed offsets, of which others guessed the zone when they stored UTC.
const expected = (event) => {
	const { venue, json_ld: ld } = event;
	const [organizer] = event.organizer;
	return {
		uid: `${event.id}-${seconds(event.start_date)}-${seconds(event.end_date)}@site.test`,
		summary: typed(event.title),
		description: words(event.description),
		url: event.url,
		allDay: event.all_day,
		start: event.all_day ? day(event.start_date, 0) : new Date(ld.startDate).toISOString(),
		end: event.all_day ? day(event.end_date, 1) : new Date(ld.endDate).toISOString(),
		stamps: [event.modified_utc, event.date_utc, event.modified_utc].map(utc),
		location: venue.venue ? [venue.venue, venue.address, venue.city, venue.stateprovince ?? venue.province, venue.zip, venue.country]
			.filter(Boolean).map(words).join(', ') : '',
		geo: venue.geo_lat === undefined ? [] : [venue.geo_lat, venue.geo_lng],
		categories: event.categories.map(({ name }) => words(name)),
		attach: event.image ? event.image.url : '',
		organizer: organizer?.email ? [words(organizer.organizer), `MAILTO:${organizer.email}`] : [],
		status: { EventCancelled: 'CANCELLED', EventPostponed: 'TENTATIVE' }[ld.eventStatus.split('/').pop()] ?? '',
	};
};

// byNodeICal and byICalJS return the events that the readers find, by id.
const byNodeICal = (text) => {
	const found = new Map();
	const local = (date) => [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
	for (const event of Object.values(nodeICal.sync.parseICS(text))) {
		if (event.type !== 'VEVENT') {
			continue;
		}
		const allDay = event.datetype === 'date';
		const instant = (date) => (allDay ? local(date) : date.toISOString());
		found.set(Number.parseInt(event.uid, 10), {
			uid: event.uid,
			summary: typed(event.summary),
			description: words(event.description ?? ''),
			url: event.url,
			allDay,
			start: instant(event.start),
			end: instant(event.end),
			stamps: [event.dtstamp, event.created, event.lastmodified].map((date) => date.toISOString()),
			location: event.location ?? '',
			geo: event.geo ? [event.geo.lat, event.geo.lon] : [],
			categories: event.categories ?? [],
			attach: event.attach?.val ?? event.attach ?? '',
			organizer: event.organizer ? [event.organizer.params.CN.replaceAll('"', ''), event.organizer.val] : [],
			status: event.status ?? '',
		});
	}
	return found;
};

const byICalJS = (text) => {
	const found = new Map();
	for (const part of new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')) {
		const value = (name) => part.getFirstPropertyValue(name) ?? '';
		const time = (name) => {
			const at = part.getFirstPropertyValue(name);
			assert.ok(at.isDate || at.zone !== ICAL.Timezone.localTimezone, `${name} floats`);
			return at.isDate ? at.toString() : at.toJSDate().toISOString();
		};
		const organizer = part.getFirstProperty('organizer');
		found.set(Number.parseInt(value('uid'), 10), {
			uid: value('uid'),
			summary: typed(value('summary')),
			description: words(value('description')),
			url: value('url'),
			allDay: value('dtstart').isDate,
			start: time('dtstart'),
			end: time('dtend'),
			stamps: ['dtstamp', 'created', 'last-modified'].map(time),
			location: value('location'),
			geo: value('geo') || [],
			categories: part.getFirstProperty('categories')?.getValues() ?? [],
			attach: value('attach'),
			organizer: organizer ? [organizer.getParameter('cn'), organizer.getFirstValue()] : [],
			status: value('status'),
		});
	}
	return found;
};

const answer = await get(`/events?_format=ics&${everything}`);
assert.equal(answer.headers.get('Content-Type'), 'text/calendar; charset=utf-8');
const text = await answer.text();
const ids = [];
for (let page = 1, pages = 1; page <= pages; page++) {
	const list = await json(`/events?${everything}&per_page=50&page=${page}`);
	pages = list.total_pages;
	ids.push(...list.events.map(({ id }) => id));
}
assert.equal(Number(answer.headers.get('X-TEC-Total')), ids.length);
assert.ok(ids.length > 100);
const readers = { 'node-ical': byNodeICal(text), 'ical.js': byICalJS(text) };
for (const [name, found] of Object.entries(readers)) {
	assert.deepEqual(new Set(found.keys()), new Set(ids), name);
}
const filled = new Map(); // in how many events a field has a value
let hidden = 0;
for (const id of ids) {
	const alone = await fetch(`${root}/events/${id}`);
	if (alone.status === 403) { // what a password hides is compared elsewhere
		hidden++;
		continue;
	}
	const event = await alone.json();
	const want = expected(event);
	for (const [field, value] of Object.entries(want)) {
		filled.set(field, (filled.get(field) ?? 0) + (value.length > 0 || value === true ? 1 : 0));
	}
	const file = await (await get(`/events/${id}?_format=ics`)).text();
	for (const [name, found] of [...Object.entries(readers), ['node-ical', byNodeICal(file)], ['ical.js', byICalJS(file)]]) {
		assert.deepEqual(found.get(id), want, `${name}, event ${id}`);
	}
}
assert.ok([...filled.values()].every((n) => n > 1), 'a field that is empty everywhere');
console.log(`${ids.length} events read, ${hidden} of them hidden; with a value:`, Object.fromEntries(filled));
