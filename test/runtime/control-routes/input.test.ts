import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { rawHttp } from '../../support/servers/raw-http.ts';
import { rawClient } from '../server/support/raw-client.ts';
import { type NotesServer, readError, startNotes, type UniformErrorFacts } from '../server/support/start-notes.ts';

interface Refusal {
  readonly status: number;
  readonly error: UniformErrorFacts;
}

const json = 'application/json';

const send = async (server: NotesServer, body: string | Uint8Array<ArrayBuffer>, type = json): Promise<Refusal> => {
  const answer = await server.ask('/v1/notes', { method: 'POST', body, headers: { 'content-type': type } });
  return { status: answer.status, error: await readError(answer) };
};

describe('the input of a route', () => {
  it('is rejected with all of its problems at once', async () => {
    await using server = await startNotes();
    const answer = await server.ask('/v1/notes?limt=3', { json: { txt: 'a', colour: 'green', text: '' } });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      error: {
        message:
          'The request is not valid: There is no query parameter "limt". (It has 4 problems.) Correct the problems listed in the member errors.',
        type: 'invalid_request_error',
        param: 'limt',
        code: 'AB01',
        errors: [
          {
            in: 'query',
            pointer: '/limt',
            message: 'There is no query parameter "limt".',
            hint: 'Remove it: no query parameters are allowed here.',
            code: 'unknown-key',
          },
          { pointer: '/txt', message: 'There is no member "txt".', hint: 'Did you mean "text"?', code: 'unknown-key' },
          { pointer: '/text', message: '"text" must have at least 1 character.', hint: 'Use a longer string.' },
          { pointer: '/colour', message: '"colour" must be one of "red", "blue".', hint: 'Choose one of them.' },
        ],
      },
    });
  });

  it.each([
    ['?limit=0', '"limit" must be at least 1.'],
    ['?limit=', '"limit" must be a whole number.'],
    ['?limit=0x10', '"limit" must be a whole number.'],
    ['?limit=1.5', '"limit" must be a whole number.'],
    ['?limit=1&limit=2', 'The query parameter "limit" occurs more than once.'],
    ['?exact=yes', '"exact" must be true or false.'],
    ['?limit=%ff', 'The query is not percent-encoded UTF-8.'],
    ['?__proto__=1', 'There is no query parameter "__proto__".'],
  ])('is rejected with the query %s', async (query, message) => {
    await using server = await startNotes();
    const answer = await server.ask(`/v1/notes${query}`);
    expect(answer.status).toBe(400);
    expect((await readError(answer)).errors).toEqual([expect.objectContaining({ in: 'query', message })]);
  });

  it.each([
    ['%ff', '"id" is not percent-encoded UTF-8.'],
    ['%0a', '"id" contains a control character.'],
    ['a%zz', '"id" is not percent-encoded UTF-8.'],
  ])('is rejected with the path segment %s', async (id, message) => {
    await using server = await startNotes();
    const answer = await server.ask(`/v1/notes/${id}`);
    expect(answer.status).toBe(400);
    expect((await readError(answer)).errors).toEqual([
      expect.objectContaining({ in: 'path', pointer: '/id', message }),
    ]);
  });

  it.each([
    ['', 'it is empty.'],
    ['{"text":', 'unexpected end of JSON input.'],
    [new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'it is not UTF-8.'],
    [`{"text":"a","data":{"x":${'['.repeat(5000)}${']'.repeat(5000)}}}`, 'it nests deeper than 1000 levels.'],
  ])('is rejected if it is not readable JSON: %.20s', async (body, reason) => {
    await using server = await startNotes();
    const { status, error } = await send(server, body);
    expect(status).toBe(400);
    expect(error.message).toContain(`The body is not valid JSON: ${reason}`);
  });

  it('is rejected if JSON parsers could disagree about it', async () => {
    await using server = await startNotes();
    const twice = await send(server, '{"text":"a","data":{"b":1,"c":{},"b":2},"text":"d"}');
    expect(twice.error.errors).toEqual([
      { pointer: '/data/b', message: 'The member "data.b" occurs more than once.', hint: 'Write it once.' },
      { pointer: '/text', message: 'The member "text" occurs more than once.', hint: 'Write it once.' },
    ]);
    const proto = await send(server, '{"text":"a","data":{"__proto__":{"admin":true}}}');
    expect(proto.error.errors).toEqual([
      { pointer: '/data/__proto__', message: 'No member may be called "__proto__".', hint: 'Use another name.' },
    ]);
    expect(server.plugin.created()).toBe(0);
  });

  it('may have many members, of which at most a hundred wrong ones are listed', async () => {
    await using server = await startNotes();
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`member${at}`, at]));
    const fine = await server.ask('/v1/notes', { json: { text: 'a', data: many } });
    expect(await fine.json()).toMatchObject({ members: 10_000 });
    const { status, error } = await send(server, JSON.stringify({ text: 'a', ...many }));
    expect([status, error.errors?.length]).toEqual([400, 100]);
    expect(error.message).toContain('(It has more than 100 problems.)');
  });

  it('may not have more values than can be validated at once', async () => {
    await using server = await startNotes();
    const { status, error } = await send(server, `{"text":"a","data":{"list":[${'1,'.repeat(100_000)}1]}}`);
    expect([status, error.message]).toEqual([400, expect.stringContaining('it has more than 100000 values.')]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'application/json; charset=latin1'])(
    'is not read as %s',
    async (type) => {
      await using server = await startNotes();
      const { status, error } = await send(server, '{"text":"a"}', type);
      expect(status).toBe(400);
      expect(error.message).toContain(`the content-type of the request is "${type}"`);
    },
  );

  it('is read in UTF-8 and as any JSON type, compressed or not', async () => {
    await using server = await startNotes();
    for (const headers of [
      { 'content-type': 'Application/JSON;charset=UTF-8' },
      { 'content-type': 'application/merge-patch+json' },
      { 'content-type': json, 'content-encoding': 'gzip' },
    ]) {
      const plain = Buffer.from('{"text":"a"}');
      const body = new Uint8Array('content-encoding' in headers ? gzipSync(plain) : plain);
      expect((await server.ask('/v1/notes', { method: 'POST', body, headers })).status).toBe(201);
    }
  });

  it('is limited to a mebibyte, whether it is sent at once, in pieces or compressed', async () => {
    await using server = await startNotes();
    const large = JSON.stringify({ text: 'a'.repeat(1024 * 1024) });
    const headers = { 'content-type': json };
    const pieces = new ReadableStream({
      start: (controller) => {
        for (let at = 0; at < large.length; at += 100_000)
          controller.enqueue(new TextEncoder().encode(large.slice(at, at + 100_000)));
        controller.close();
      },
    });
    const answers = [
      await server.ask('/v1/notes', { method: 'POST', body: large, headers }),
      await server.ask('/v1/notes', { method: 'POST', body: pieces, headers, duplex: 'half' } as RequestInit),
      await server.ask('/v1/notes', {
        method: 'POST',
        body: new Uint8Array(gzipSync(large)),
        headers: { ...headers, 'content-encoding': 'gzip' },
      }),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(413);
      expect((await readError(answer)).message).toBe('The body is larger than 1048576 bytes. Send a smaller body.');
    }
    expect(server.plugin.created()).toBe(0);
  });

  it('does not include the body of a GET', async () => {
    await using server = await startNotes();
    const { statusLine } = await rawHttp(server.origin, {
      method: 'GET',
      path: '/v1/notes/1',
      body: Buffer.from('not JSON'),
    });
    expect(statusLine).toContain(' 200 ');
  });

  it('may arrive slowly', async () => {
    await using server = await startNotes();
    using client = await rawClient(server.port);
    const head =
      'POST /v1/notes HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 12\r\n';
    client.send(`${head}expect: 100-continue\r\n\r\n`);
    await client.until('100 Continue');
    for (const piece of ['{"te', 'xt":', '"a"}']) {
      client.send(piece);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(await client.until('"id":"1"')).toContain('HTTP/1.1 201 Created');
  });

  it('is dropped if the client disconnects early, and nothing runs for it', async () => {
    await using server = await startNotes();
    const client = await rawClient(server.port);
    client.send(
      'POST /v1/notes HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{',
    );
    client.socket.destroy();
    await client.ended;
    expect((await server.ask('/v1/notes', { json: { text: 'a' } })).status).toBe(201);
    expect(server.plugin.created()).toBe(1);
  });
});
