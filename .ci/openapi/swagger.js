// A client that swagger-client makes of the OpenAPI document when it runs: it takes the
// type of an answer from the document, and asks for that.
import assert from "node:assert/strict";
import SwaggerClient from "swagger-client";

const [root, document] = process.argv.slice(2);
assert(root && document, "usage: swagger ROOT DOCUMENT");

const { spec, errors, apis } = await SwaggerClient(document);
assert.deepEqual([errors, spec.servers[0].url], [[], root]);
const page = await apis.events.listEvents({ per_page: 3, start_date: "2000-01-01" });
assert.equal(page.headers["content-type"].split(";")[0], "application/json");
assert.equal(page.body.events.length, 3);
const feed = await apis.events.listEventsAsCalendar({ start_date: "2000-01-01" });
assert.equal(feed.headers["content-type"].split(";")[0], "text/calendar");
assert(feed.text.startsWith("BEGIN:VCALENDAR"));
const single = await apis.events.getEventAsCalendar({ id: page.body.events[0].id });
assert.equal(single.text.match(/BEGIN:VEVENT/g).length, 1);
const failure = await apis.events.getEvent({ id: 999999999 }).catch((error) => error.response);
assert.deepEqual([failure.status, failure.body.code], [404, "rest-event-not-found"]);
console.log(`listed and subscribed to at ${root}`);
