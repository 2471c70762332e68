// Expands the events of a feed that have several dates by two readers that others wrote, and
// holds the dates against the list, which has one item for each.
// usage: dates.js ROOT
import assert from 'node:assert/strict';

import ICAL from 'ical.js';
import nodeICal from 'node-ical';

const [root] = process.argv.slice(2);
const window = 'start_date=2026-01-01&end_date=2029-12-31';
const list = await (await fetch(`${root}/events?per_page=50&${window}`)).json();
const text = await (await fetch(`${root}/events?_format=ics&${window}`)).text();

const utc = (wall) => `${wall.replace(' ', 'T')}.000Z`;
const want = list.events.map((e) => (e.all_day ?
	`${e.title} ${e.start_date.slice(0, 10)}` : `${e.title} ${utc(e.utc_start_date)} ${utc(e.utc_end_date)}`)).sort();
assert.equal(want.length, list.total);

const day = (d) => [d.getFullYear(), d.getMonth() + 1, d.getDate()].map((n) => String(n).padStart(2, '0')).join('-');
const byNodeICal = [];
for (const event of Object.values(nodeICal.sync.parseICS(text)).filter(({ type }) => type === 'VEVENT')) {
	const found = nodeICal.expandRecurringEvent(event, { from: new Date('2026-01-01'), to: new Date('2029-12-31') });
	for (const { summary, start, end, isFullDay } of found) {
		byNodeICal.push(isFullDay ? `${summary} ${day(start)}` : `${summary} ${start.toISOString()} ${end.toISOString()}`);
	}
}
assert.deepEqual(byNodeICal.sort(), want, 'node-ical');

const byICalJS = [];
const calendar = new ICAL.Component(ICAL.parse(text));
calendar.getAllSubcomponents('vtimezone').forEach((zone) => ICAL.TimezoneService.register(new ICAL.Timezone(zone)));
const parts = calendar.getAllSubcomponents('vevent');
const uid = (part) => part.getFirstPropertyValue('uid');
for (const part of parts.filter((p) => !p.hasProperty('recurrence-id'))) {
	const event = new ICAL.Event(part, { exceptions: parts.filter((p) => p.hasProperty('recurrence-id') && uid(p) === uid(part)) });
	const dates = event.iterator();
	for (let at = dates.next(); at && at.year < 2030; at = dates.next()) {
		const { startDate: start, endDate: end } = event.getOccurrenceDetails(at);
		byICalJS.push(start.isDate ? `${event.summary} ${start}` :
			`${event.summary} ${start.toJSDate().toISOString()} ${end.toJSDate().toISOString()}`);
	}
}
assert.deepEqual(byICalJS.sort(), want, 'ical.js');
console.log(`node-ical and ical.js: ${want.length} dates of ${parts.length} components`);
