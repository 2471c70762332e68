// Receives the webhooks of a calendar and verifies each by the reference library.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'

const [program, data, root, login, password] = process.argv.slice(2)
const secrets = []
const received = []
let answers = [] // statuses of the next answers, then 204

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString()
    const status = secrets.length === 0 ? 204 : (answers.shift() ?? 204) // before there is a secret it is the test of 'add'
    const message = { body, headers: request.headers, status }
    try {
      for (const secret of secrets) message.read = new Webhook(secret).verify(body, request.headers)
    } catch (error) {
      message.error = error
    }
    if (secrets.length > 0) received.push(message)
    response.writeHead(status).end()
  })
})
await new Promise((ready) => server.listen(0, '127.0.0.1', ready))
const address = `http://127.0.0.1:${server.address().port}/hook`

const agenda = async (...args) => (await promisify(execFile)(program, [...args, '-data', data])).stdout
const secretIn = (text) => text.match(/whsec_\S+/)[0]

// next waits for a message, which every secret has signed.
async function next() {
  for (let i = 0; received.length === 0; i++) {
    assert(i < 1200, 'no message came')
    await new Promise((later) => setTimeout(later, 100))
  }
  const message = received.shift()
  assert.ifError(message.error)
  return message
}

async function api(method, path, values) {
  const answer = await fetch(root + path, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: 'Basic ' + btoa(`${login}:${password}`) },
    body: values && JSON.stringify(values),
  })
  assert(answer.ok, `${method} ${path}: ${answer.status}`)
  return answer.json()
}

// sql writes as another program does.
const sql = (statement) => promisify(execFile)('python3', ['-c', `
import glob, sqlite3, sys
for name in glob.glob(sys.argv[1] + '/*.db'):
    db = sqlite3.connect(name, timeout=30)
    db.create_collation('site_ci', lambda a, b: (a > b) - (a < b))
    db.execute(sys.argv[2])
    db.commit()
`, data, statement])

const { stdout: refused } = await promisify(execFile)(program, ['webhook', 'add', address, '-data', data])
  .then(() => assert.fail('a private address was taken'), (error) => error)
assert.equal(refused, '')

secrets.push(secretIn(await agenda('webhook', 'add', address, '-kinds', 'events', '-items', '-webhook-networks', '127.0.0.0/8')))

const event = await api('POST', '/events', {
  title: 'By the API', status: 'publish', start_date: '2031-05-01 10:00', end_date: '2031-05-01 11:00',
})
await agenda('journal', 'scan')
let message = await next()
assert.equal(message.read.type, 'event.created')
assert.equal(message.read.data.id, event.id)
assert.equal(message.read.data.item.title, 'By the API')
console.log('a change by the API came, signed')

answers = [500]
await sql(`UPDATE wp_posts SET post_title = 'By SQL' WHERE ID = ${event.id}`)
await agenda('journal', 'scan')
message = await next()
assert.equal(message.status, 500)
const again = await next()
assert.equal(again.headers['webhook-id'], message.headers['webhook-id'])
assert.equal(again.read.data.item.title, 'By SQL')
console.log('a change by SQL came, and once more with the same id after a failure')

const verifier = new Webhook(secrets[0])
const { body, headers } = again
const forged = {
  'another body': [body.replace('By SQL', 'Forged'), headers],
  'another id': [body, { ...headers, 'webhook-id': 'msg_forged' }],
  'another time': [body, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }],
  'an old message': [body, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 3600) }],
  'no signature': [body, { ...headers, 'webhook-signature': 'v1,' }],
}
for (const [what, [text, head]] of Object.entries(forged)) assert.throws(() => verifier.verify(text, head), undefined, what)
assert.throws(() => new Webhook('whsec_' + Buffer.alloc(32).toString('base64')).verify(body, headers))
console.log('forgeries are found')

secrets.push(secretIn(await agenda('webhook', 'rotate', '1')))
await sql(`UPDATE wp_posts SET post_title = 'Rotated' WHERE ID = ${event.id}`)
await agenda('journal', 'scan')
message = await next()
assert.equal(message.read.data.item.title, 'Rotated')
assert.equal(message.headers['webhook-signature'].split(' ').length, 2)
console.log('the old secret and the new one sign')

const listed = await agenda('webhook', 'list')
assert(listed.includes(address) && !listed.includes('whsec_'), listed)
server.close()
