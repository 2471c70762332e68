// Expands the events of a feed, and of an export, that have several dates by two readers that
// others wrote, and holds the dates against the list, which has one item for each.
// usage: dates.js ROOT FIRST LAST [EXPORT], the first and the last day to compare
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import ICAL from 'ical.js';
import nodeICal from 'node-ical';

const [root, first, last, exported] = process.argv.slice(2);
const window = `start_date=${first}&end_date=${last}`;
const list = await (await fetch(`${root}/events?per_page=5000&${window}`)).json();
const texts = { feed: await (await fetch(`${root}/events?_format=ics&${window}`)).text() };
if (exported) {
	texts.export = readFileSync(exported, 'utf8');
}

const utc = (wall) => `${wall.replace(' ', 'T')}.000Z`;
const want = list.events.map((e) => (e.all_day ?
	`${e.title} ${e.start_date.slice(0, 10)}` : `${e.title} ${utc(e.utc_start_date)} ${utc(e.utc_end_date)}`)).sort();
assert.equal(want.length, list.total);

const day = (d) => [d.getFullYear(), d.getMonth() + 1, d.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
const byNodeICal = (text) => {
	const dates = [];
	for (const event of Object.values(nodeICal.sync.parseICS(text)).filter(({ type }) => type === 'VEVENT')) {
		const found = nodeICal.expandRecurringEvent(event, { from: new Date(first), to: new Date(last) });
		for (const { summary, start, end, isFullDay } of found) {
			dates.push(isFullDay ? `${summary} ${day(start)}` : `${summary} ${start.toISOString()} ${end.toISOString()}`);
		}
	}
	return dates.sort();
};

const byICalJS = (text) => {
	const dates = [];
	const calendar = new ICAL.Component(ICAL.parse(text));
	calendar.getAllSubcomponents('vtimezone').forEach((zone) => ICAL.TimezoneService.register(new ICAL.Timezone(zone)));
	const parts = calendar.getAllSubcomponents('vevent');
	const uid = (part) => part.getFirstPropertyValue('uid');
	for (const part of parts.filter((p) => !p.hasProperty('recurrence-id'))) {
		const event = new ICAL.Event(part, { exceptions: parts.filter((p) => p.hasProperty('recurrence-id') && uid(p) === uid(part)) });
		const each = event.iterator();
		for (let at = each.next(); at && at.toString() < last; at = each.next()) {
			const { startDate: start, endDate: end } = event.getOccurrenceDetails(at);
			dates.push(start.isDate ? `${event.summary} ${start}` :
				`${event.summary} ${start.toJSDate().toISOString()} ${end.toJSDate().toISOString()}`);
		}
	}
	return dates.sort();
};

const compare = (name, found) => {
	const all = new Set(found), listed = new Set(want);
	const lacks = want.filter((date) => !all.has(date)), besides = found.filter((date) => !listed.has(date));
	assert.ok(found.length === want.length && lacks.length === 0,
		`${name}: ${found.length} dates, want ${want.length}\nlacks ${lacks.join('\n')}\nhas besides ${besides.join('\n')}`);
};

for (const [what, text] of Object.entries(texts)) {
	compare(`node-ical, ${what}`, byNodeICal(text));
	compare(`ical.js, ${what}`, byICalJS(text));
	console.log(`node-ical and ical.js: ${want.length} dates of the ${what}`);
}
