import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createCancellation, neverCancelled } from '../../../../plugins/sdk/time/cancellation.ts';
import { actingPlugin, isolate, sharedIsolated } from './support.ts';

const acts = `
  environment: () => pass({ names: Object.keys(process.env), token: process.env.ACME_TOKEN ?? null }),
  file: () => pass({ text: fs.readFileSync('/etc/hosts', 'utf8') }),
  beside: () => pass({ text: fs.readFileSync(new URL('./secret.txt', import.meta.url), 'utf8') }),
  write: () => { fs.writeFileSync(new URL('./made.txt', import.meta.url), 'x'); return pass(); },
  child: async () => { (await import('node:child_process')).execSync('true'); return pass(); },
  worker: async () => { new (await import('node:worker_threads')).Worker('1', { eval: true }); return pass(); },
  kill: () => { process.kill(process.ppid); return pass(); },
  rawKill: () => { process._kill(process.ppid, 9); return pass(); },
  fetch: async (input) => { await fetch(input.text).catch((error) => { throw error.cause ?? error; }); return pass(); },
  connect: (input) => new Promise((settle, reject) => {
    const { hostname, port } = new URL(input.text);
    net.connect(port, hostname).on('connect', () => settle(pass())).on('error', reject);
  }),
  socketOfOutput: (input) => new Promise((settle, reject) => {
    const { hostname, port } = new URL(input.text);
    new process.stdout.constructor().connect(port, hostname).on('connect', () => settle(pass())).on('error', reject);
  }),
  server: () => new Promise((settle, reject) => net.createServer().on('error', reject).listen(0, () => settle(pass()))),
  lookup: async () => { await dns.promises.resolve('example.com'); return pass(); },
  datagram: () => { dgram.createSocket('udp4').send('x', 9, '127.0.0.1'); return pass(); },
  database: async () => { new (await import('node:sqlite')).DatabaseSync(new URL('./made.db', import.meta.url)).exec('CREATE TABLE t(a)'); return pass(); },
  requiredDatabase: () => { new (process.getBuiltinModule("node:sqlite")).DatabaseSync(':memory:'); return pass(); },
  binding: () => { process.binding('tcp_wrap'); return pass(); },
  get: async (input, { http }) => pass(await http.send({ method: 'GET', url: input.text, cancellation: input.cancellation })),
  many: async (input, { http }) => {
    const send = () => http.send({ url: input.text, cancellation: input.cancellation });
    const all = await Promise.allSettled(Array.from({ length: 20 }, send));
    return pass({ refused: all.filter(({ status }) => status === 'rejected').length });
  },
  placeholder: ({ tenant }, { placeholder }) => pass({ name: placeholder(tenant, { kind: 'EMAIL', text: 'a@b' }) }),
  timer: (input, { timers }) => new Promise((settle) => timers.after(1, () => settle(pass({ wall: timers.wall() > 0 })))),
  given: ({ cancellation, ...input }, services, withinMs) => pass({ input, withinMs, cancelled: cancellation.cancelled }),
  cancelled: ({ cancellation }) => new Promise((settle) => cancellation.onCancel(() => settle(pass({ cancelled: true })))),
  big: () => ({ pass: false, data: { n: 1n } }),
  mapped: () => ({ pass: true, data: {}, restore: new Map([['[A]', 'a']]) }),
`;

const plugin = actingPlugin(acts);
const declares = (permissions: object): object => ({ name: 'p', gatewright: { permissions } });

const variables = { ACME_TOKEN: 'secret', OPENAI_API_KEY: 'other' };

describe('an isolated plugin', () => {
  // What is refused here leaves the process unchanged, so the tests share it.
  const held = sharedIsolated({ 'plugin.mjs': plugin, 'secret.txt': 'a secret' }, { variables });
  const calling = sharedIsolated({
    'plugin.mjs': plugin,
    'package.json': declares({ hosts: ['api.acme.example'] }),
  });

  it.each([
    ['read files', 'file', /--allow-fs-read/],
    ['read files next to its own', 'beside', /--allow-fs-read/],
    ['write files', 'write', /--allow-fs-write/],
    ['write files as a database', 'database', /cannot open databases/],
    ['open a database in memory, which could attach a file', 'requiredDatabase', /cannot open databases/],
    ['start processes', 'child', /--allow-child-process/],
    ['start workers', 'worker', /--allow-worker/],
    ['send signals', 'kill', /cannot access other processes/],
    ['send signals through an internal function', 'rawKill', /cannot access other processes/],
    ['listen', 'server', /has no access to the network/],
    ['resolve host names', 'lookup', /has no access to the network/],
    ['send datagrams', 'datagram', /has no access to the network/],
    ['use the bindings of Node', 'binding', /process\.binding/],
  ])('cannot %s', async (_, how, why) => {
    const { run } = held();
    expect(await run(how)).toMatch(why);
    expect(await run('pass')).toEqual({ pass: true, data: {} });
  });

  it.each(['fetch', 'connect', 'socketOfOutput'])('cannot open a connection with %s', async (how) => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { run } = held();
    expect(await run(how, { input: { text: `http://127.0.0.1:${port}/` } })).toMatch(/has no access to the network/);
    expect(connections).toBe(0);
    server.close();
  });

  it('sees only the environment variables that it declares', async () => {
    expect(await held().run('environment')).toMatchObject({ data: { names: [], token: null } });
    const manifest = declares({ environment: ['ACME_TOKEN', 'NOT_SET'] });
    const declared = await isolate({ 'plugin.mjs': plugin, 'package.json': manifest }, { variables });
    expect(await declared.run('environment')).toMatchObject({ data: { names: ['ACME_TOKEN'], token: 'secret' } });
    const own = actingPlugin(acts, `permissions: { environment: ['ACME_TOKEN'] },`);
    const byCode = await isolate({ 'plugin.mjs': own }, { variables });
    expect(await byCode.run('environment')).toMatchObject({ data: { names: ['ACME_TOKEN'], token: 'secret' } });
  });

  it('can send requests, through the gateway, only to the hosts that it declares', async () => {
    const { run } = await isolate({
      'plugin.mjs': plugin,
      'package.json': declares({ hosts: ['api.acme.example:443'] }),
    });
    const asked: string[] = [];
    const http = async ({ url, method }: { readonly url: string; readonly method?: string }) => {
      asked.push(`${method} ${url}`);
      return { status: 203, headers: ['a', 'b'], text: 'said' };
    };
    expect(await run('get', { http, input: { text: 'https://api.acme.example/x' } })).toEqual({
      pass: true,
      data: { status: 203, headers: ['a', 'b'], text: 'said' },
    });
    for (const text of ['https://api.acme.example:8443/', 'http://api.acme.example/', 'https://evil.example/'])
      expect(await run('get', { http, input: { text } })).toMatch(/may not call .* does not declare this host/);
    expect(await run('get', { http, input: { text: 'no url' } })).toMatch(/Invalid URL/);
    expect(asked).toEqual(['GET https://api.acme.example/x']);
  });

  it('receives the reason when the gateway does not send a request', async () => {
    const { run } = calling();
    const http = () => Promise.reject(new Error('the address is private'));
    expect(await run('get', { http, input: { text: 'https://api.acme.example/' } })).toBe('the address is private');
  });

  it('may have at most 16 requests in flight for one call', async () => {
    const { run } = calling();
    const waiting: (() => void)[] = [];
    const http = () =>
      new Promise<{ status: number; headers: []; text: string }>((settle) => {
        waiting.push(() => settle({ status: 200, headers: [], text: '' }));
      });
    const ran = run('many', { http, input: { text: 'https://api.acme.example/' } });
    await expect.poll(() => waiting.length).toBe(16);
    for (const settle of waiting) settle();
    expect(await ran).toEqual({ pass: true, data: { refused: 4 } });
  });

  it('gets the same placeholder for the same text of a tenant, and a different one for another tenant', async () => {
    const { run } = held();
    const [one, again, other] = [
      await run('placeholder'),
      await run('placeholder'),
      await run('placeholder', { input: { tenant: 'other' as never } }),
    ];
    expect(one).toMatchObject({ data: { name: expect.stringMatching(/^\[EMAIL_[0-9a-f]{12}\]$/) } });
    expect(again).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('receives timers, the whole input and its time-out', async () => {
    const { run } = held();
    expect(await run('timer')).toEqual({ pass: true, data: { wall: true } });
    const input = {
      metadata: { a: [1, null] },
      answer: { choices: [] },
      request: { json: { model: 'm' }, headers: ['A', 'b'], dialect: 'messages', operation: 'converse' },
    } as const;
    expect(await run('given', { input, withinMs: 1234 })).toMatchObject({
      data: { input: { phase: 'input', text: 'a text', tenant: 'tenant', ...input }, withinMs: 1234, cancelled: false },
    });
  });

  it('is notified when the client disconnects', async () => {
    const { run } = held();
    const { cancellation, cancel } = createCancellation();
    const ran = run('cancelled', { input: { cancellation } });
    // Checks start in order, so this one has started by then.
    await run('pass');
    cancel();
    expect(await ran).toEqual({ pass: true, data: { cancelled: true } });
  });

  it('keeps the verdict of a check whose data cannot be serialised', async () => {
    const { run } = held();
    expect(await run('big')).toEqual({ pass: false, data: null });
  });

  it('returns null for a restore map, which JSON would turn into an empty object', async () => {
    const { run } = held();
    expect(await run('mapped')).toEqual({ pass: true, data: {}, restore: null });
  });

  it('counts as a wait only while its check runs, even if the check throws', async () => {
    const { run } = held();
    let running = 0;
    const open: number[] = [];
    const waits = {
      ms: 0,
      begin: () => {
        running += 1;
        open.push(running);
        return () => {
          running -= 1;
        };
      },
    };
    for (const how of ['timer', 'file']) {
      await run(how, { input: { cancellation: { ...neverCancelled, waits } } });
      expect([open.splice(0), running]).toEqual([[1], 0]);
    }
  });
});
