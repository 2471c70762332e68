// What the scripts share that hold feeds against answers of the API.
import assert from 'node:assert/strict';

// get returns an answer, which has to be a success.
export const get = async (address) => {
	const answer = await fetch(address);
	assert.equal(answer.status, 200, address);
	return answer;
};

// words returns the text that a browser shows of HTML.
const entities = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };
const decoded = (html) => html.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (all, decimal, hex, name) => {
	if (name) {
		assert.ok(entities[name], `${all} is not known here`);
		return entities[name];
	}
	return String.fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex, 16));
});
export const words = (html) =>
	decoded(html.replace(/<(script|style)\b.*?<\/\1>/gis, '').replace(/<[^>]*>/g, ' ')).split(/\s+/).join(' ').trim();
