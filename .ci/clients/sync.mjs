// Runs the client of docs/sync.md: it follows pages, deletes what was deleted, and begins anew when its token has expired.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const guide = readFileSync(new URL('../../docs/sync.md', import.meta.url), 'utf8');
const [, source] = guide.match(/```js\n([^]*?)```/);
const { sync } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

const asked = [];
const server = createServer((request, answer) => {
  const [path, query] = request.url.split('?');
  asked.push(query);
  const page = {
    'categories=a&sync=1': { events: [{ id: 1 }, { id: 2 }], next_rest_url: `http://${request.headers.host}${path}?sync_token=page` },
    'sync_token=page': { events: [{ id: 3 }], next_sync_token: 'one' },
    'sync_token=one': { events: [{ id: 1, deleted: true }, { id: 2, title: 'New' }], next_sync_token: 'old' },
  }[query];
  answer.statusCode = page ? 200 : 410;
  answer.end(JSON.stringify(page ?? { code: 'rest_sync_token_expired' }));
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const list = `http://127.0.0.1:${server.address().port}/events/?categories=a`;
const items = new Map();
let token;
for (const want of ['1 2 3', '2 3', '1 2 3']) {
  token = await sync(list, items, token);
  assert.equal([...items.keys()].sort().join(' '), want);
}
assert.deepEqual(asked, ['categories=a&sync=1', 'sync_token=page', 'sync_token=one', 'sync_token=old', 'categories=a&sync=1',
  'sync_token=page']);
server.closeAllConnections();
server.close();
console.log('the client of docs/sync.md follows a list');
