import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

const denying: JsonObject = { 'default.contains': { operator: 'none', words: ['forbidden'] }, deny: true };

/** A part of a form: its name, the rest of its header lines, and its bytes. */
type Part = readonly [name: string, more: string, value: string | Buffer];

const boundary = 'border';

const toForm = (parts: readonly Part[]): Buffer =>
  Buffer.concat([
    ...parts.flatMap(([name, more, value]) => [
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

const file = '; filename="a.bin"';

const send = (path: string, parts: readonly Part[], more: JsonObject = {}, charset = ''): Promise<Response> =>
  fetch(`${world.gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}${charset}`,
      'x-gw-usage': 'true',
      'x-gw-config': JSON.stringify({
        ...{ provider: 'openai', api_key: 'k', custom_host: `${world.upstream.origin}/v1` },
        ...more,
      }),
    },
    body: toForm([['model', '', 'm'], [path.startsWith('/audio') ? 'file' : 'image', file, 'bytes'], ...parts]),
  });

const sendJudged = async (path: string, parts: readonly Part[]): Promise<number> => {
  world.upstream.handle((call) => call.json({ text: 'Hi.', data: [] }));
  const before = world.upstream.requests.length;
  const { status } = await send(path, parts, { input_guardrails: [denying] });
  expect(world.upstream.requests.length - before).toBe(status === 200 ? 1 : 0);
  return status;
};

const forms = builtinDialects.flatMap((dialect) => {
  const [route] = (dialect.routes ?? []).filter((each) => each.hasForms === true);
  return route === undefined ? [] : [[dialect.id, { dialect, path: route.path }] as const];
});

describe.each(forms)('a form for %s with checks that may deny', (_id, { dialect, path }) => {
  const table = dialect.members?.request;
  const members = table?.is === 'object' ? Object.entries(table.members) : [];
  const texts = members.flatMap(([name, { is }]) => (is === 'media' || name === 'model' ? [] : [name]));
  const withOthers = (name: string): readonly Part[] => (name === 'prompt' ? [] : [['prompt', '', 'harmless']]);

  it.each([...texts, 'invented', 'prompt[]'])('is refused with a file as its field %s', async (name) => {
    const field = (more: string): readonly Part[] => [...withOthers(name), [name, more, 'forbidden words']];
    expect(await sendJudged(path, field(file))).not.toBe(200);
    expect(await sendJudged(path, field('; filename=""'))).not.toBe(200);
    expect(await sendJudged(path, field("; filename*=UTF-8''a.txt"))).not.toBe(200);
  });

  const utf16 = Buffer.from('forbidden', 'utf16le');
  const encoded: readonly Part[] = [
    ['prompt', '\r\ncontent-transfer-encoding: base64', Buffer.from('forbidden').toString('base64')],
    ['prompt', '\r\nContent-Transfer-Encoding:  Quoted-Printable ', 'for=62idden'],
    ['prompt', '\r\ncontent-transfer-encoding : quoted-printable', 'for=62idden'],
    ['prompt', '\r\ncontent-transfer-encoding: x-uuencode', ')9F]R8FED9&5N'],
    ['prompt', '\r\ncontent-transfer-encoding: 8bit\r\ncontent-transfer-encoding: base64', 'Zm9yYmlkZGVu'],
    ['prompt', '\r\ncontent-type: text/plain; charset=utf-16le', utf16],
    ['prompt', '\r\ncontent-type: text/plain; charset="UTF-7"', '+AGYAbwByAGIAaQBkAGQAZQBu-'],
    ['prompt', "\r\ncontent-type: text/plain; charset*=us-ascii''utf-16", utf16],
    ['prompt', '\r\ncontent-type: text/plain; charset=utf-8; charset=utf-16', utf16],
    ['prompt', '\r\ncontent-type: text/plain; charset=iso-8859-1', Buffer.from('f\u00f6rbidden', 'latin1')],
    ['_charset_', '', 'utf-16'],
    ['mask', `${file}\r\ncontent-transfer-encoding: base64`, 'Zm9yYmlkZGVu'],
  ];
  it.each(encoded)('is refused if readers could decode it differently: %s %s', async (...part) => {
    expect(await sendJudged(path, [part])).toBe(400);
  });

  it.each(['utf-16', '"UTF-7"', 'iso-8859-1', 'utf-8; charset=utf-16'])(
    'is refused in the charset %s',
    async (charset) => {
      const parts: readonly Part[] = [['prompt', '', utf16]];
      expect((await send(path, parts, { input_guardrails: [denying] }, `; charset=${charset}`)).status).toBe(400);
    },
  );

  it.each([
    ['', 'Gr\u00fc\u00dfe'],
    ['\r\ncontent-type: text/plain; charset=UTF-8\r\ncontent-transfer-encoding: binary', 'Gr\u00fc\u00dfe'],
    ['\r\ncontent-type: text/plain; charset=ISO-8859-1\r\ncontent-transfer-encoding: 8bit', 'Hello.'],
    ['\r\ncontent-type: text/plain; charset="us-ascii"', 'Hello.'],
  ])('is sent and judged if all readers decode it the same way: %s', async (more, words) => {
    const part: Part = ['prompt', more, words];
    expect(await sendJudged(path, [part])).toBe(200);
    expect(await sendJudged(path, [['prompt', more, 'forbidden']])).toBe(446);
  });
});

describe.each(['/images/edits', '/images/variations'])('pictures from %s', (path) => {
  const completed = (picture: string): JsonObject => ({
    ...{ type: 'image_edit.completed', b64_json: picture, created_at: 1 },
    usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
  });
  const asked: readonly Part[] = [
    ['prompt', '', 'A cat.'],
    ['n', '', '2'],
    ['stream', '', 'true'],
  ];
  const draw = (...pictures: readonly string[]): void =>
    world.upstream.handle((call) => {
      const stream = call.sse();
      for (const picture of pictures) stream.frame(completed(picture), 'image_edit.completed');
      stream.end();
    });

  it('are all forwarded in a stream that ends well, and each is counted', async () => {
    draw('AAAA', 'BBBB');
    const text = await (await send(path, asked)).text();
    expect(text).toContain('BBBB');
    expect(text).not.toContain('"error"');
    expect(text).toContain('"calls":{"image":2}');
  });

  it('end with an error if they are fewer than the client requested', async () => {
    draw('AAAA');
    const text = await (await send(path, asked)).text();
    expect(text).toContain('AAAA');
    expect(text).toContain('"error"');
  });

  it('are counted in a whole answer', async () => {
    world.upstream.handle((call) => call.json({ created: 1, data: [{ b64_json: 'AAAA' }, { b64_json: 'BBBB' }] }));
    const answer = await send(path, asked.slice(0, 2));
    expect(JSON.parse(answer.headers.get('x-gw-usage') ?? '')).toMatchObject({ calls: { image: 2 } });
  });

  it('are not returned if checks that may deny cannot read them', async () => {
    world.upstream.handle((call) => call.json({ created: 1, data: [{ b64_json: 'AAAA', revised_prompt: 'A cat.' }] }));
    expect((await send(path, asked.slice(0, 1), { output_guardrails: [denying] })).status).toBe(446);
  });
});
