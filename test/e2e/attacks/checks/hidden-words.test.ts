import { describe, expect, it } from 'vitest';
import { converse } from '../../../../plugins/dialects/converse/converse.ts';
import type { Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import { isJsonObject, type JsonObject } from '../../../../schema/json/json.ts';
import { toBytes, toFrames } from '../../../runtime/engine/stream-stages/kit.ts';
import { sampleBodies } from '../../../support/members/sample-bodies.ts';
import { gatewayAndUpstream } from '../../support/gateway-and-upstream.ts';
import { askChecked, type Client, clients, word } from '../support/clients.ts';

const world = gatewayAndUpstream({ files: { 'gateway.json': {} } });

type Asking = Omit<Parameters<typeof askChecked>[1], 'gateway' | 'upstream'>;

const ask = (client: Client, asking: Asking) =>
  askChecked(client, { ...asking, gateway: world.gateway.origin, upstream: world.upstream.origin });

const toSample = ({ dialect }: Client) => sampleBodies[dialect.id] ?? expect.unreachable(`no sample of ${dialect.id}`);

const answers = (body: JsonObject | string | Buffer): void =>
  world.upstream.handle((call) =>
    call.answer({
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body),
    }),
  );

const streams = (body: string | Buffer): void =>
  world.upstream.handle((call) => call.answer({ headers: { 'content-type': 'text/event-stream' }, body }));

const framesIn = ({ dialect }: Client): readonly Frame[] =>
  toFrames(dialect, [
    { kind: 'start', id: 'a', model: 'm', created: 1 },
    { kind: 'text', choice: 0, block: 0, text: 'It is water.' },
    { kind: 'block-end', choice: 0, block: 0 },
    { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
    { kind: 'end' },
  ]);

/** Checks that a new member of a provider must not disturb. */
const ordinary = [
  { 'default.contains': { words: ['bomb', word], operator: 'none' }, deny: true },
  { 'default.regexMatch': { rule: '^[A-Za-z ,.!]+$' }, deny: true },
  { 'default.regexMatch': { rule: '\\b(?:secret|password)\\b', not: true }, deny: true },
  { 'default.wordCount': { maxWords: 1 }, deny: true },
  { 'default.characterCount': { maxCharacters: 3 }, deny: true },
  { 'default.sentenceCount': { maxSentences: 1 }, deny: true },
  { 'default.endsWith': { suffix: 'Hi' }, deny: true },
];

describe.each(clients.map((client) => [client.dialect.id, client] as const))('a client of %s', (_id, client) => {
  const { request, answer } = toSample(client);
  const { dialect } = client;

  it('is denied if a member that no format documents has the word as its name', async () => {
    answers(answer);
    for (const more of [{ [word]: 1 }, { next: { [word]: null } }, { next: [{ deep: { [word]: true } }] }])
      expect((await ask(client, { body: { ...request, ...more } })).status, JSON.stringify(more)).toBe(446);
    for (const more of [{ [word]: 1 }, { next: { [word]: null } }, { next: [{ deep: { [word]: true } }] }]) {
      answers({ ...answer, ...more });
      expect((await ask(client, { body: request })).status, JSON.stringify(more)).toBe(446);
    }
  });

  it('is not denied by ordinary checks because of new members', async () => {
    const more = { reasoning_depth: 3, serviceDetail: { Tier: 2, isFast: true, note: null } };
    answers({ ...answer, ...more });
    expect((await ask(client, { body: { ...request, ...more }, checks: ordinary })).status).toBe(200);
  });

  it('does not receive the word as a member name in a stream', async () => {
    const frames = framesIn(client);
    for (const [at, frame] of frames.entries()) {
      const data: unknown = frame.data === '[DONE]' ? undefined : JSON.parse(frame.data);
      if (!isJsonObject(data)) continue;
      const named = { ...frame, data: JSON.stringify({ ...data, next: { [word]: 1 } }) };
      streams(toBytes(dialect, frames.with(at, named)));
      const { text } = await ask(client, { body: request, stream: true });
      expect(text, `frame ${at}`).not.toContain(word);
    }
  });

  it.each([
    ['the name of an event', (bytes: string) => `event: the ${word}\n${bytes.replace(/^event: .*\n/, '')}`],
    [
      'the name of an event, without white space',
      (bytes: string) => `event: ${word}\n${bytes.replace(/^event: .*\n/, '')}`,
    ],
    ['an event without data', (bytes: string) => `event: ${word}\n\n${bytes}`],
    ['a comment', (bytes: string) => `: ${word}\n\n${bytes}`],
    ['a comment inside a frame', (bytes: string) => bytes.replace('data:', `: ${word}\ndata:`)],
    ['an id', (bytes: string) => `id: ${word}\n${bytes}`],
    ['a retry time', (bytes: string) => `retry: ${word}\n${bytes}`],
    ['an unknown field', (bytes: string) => `${word}: 1\n${bytes}`],
    ['the text after [DONE]', (bytes: string) => `${bytes}data: [DONE] ${word}\n\n`],
    ['a comment at the end', (bytes: string) => `${bytes}: ${word}`],
  ])('does not receive the word in %s of a stream', async (_where, change) => {
    streams(change(toBytes(dialect, framesIn(client)).toString()));
    const { text } = await ask(client, { body: request, stream: true });
    expect(text).not.toContain(word);
  });

  it('does not receive the word in a frame that is not JSON, however it is written', async () => {
    const frames = framesIn(client);
    for (const data of [`the ${word}`, `{'a': '${word}'}`, '{"a": "the \\u0070lutonium",}']) {
      streams(toBytes(dialect, frames.toSpliced(1, 0, { data })));
      const { text } = await ask(client, { body: request, stream: true });
      expect(text, data).not.toMatch(/(?:p|\\u0070)lutonium/);
    }
  });

  it('does not receive the word in an error event in place of the answer', async () => {
    const frames = framesIn(client);
    const at = frames.findIndex(({ data }) => data.includes('water'));
    const { data = '' } = frames[at] ?? {};
    for (const before of [0, frames.length - 2]) {
      const errorFrame = { event: 'error', data: data.replaceAll('water', word) };
      streams(toBytes(dialect, [...frames.slice(0, before), errorFrame]));
      const { text } = await ask(client, { body: request, stream: true });
      expect(text).not.toContain(word);
    }
  });

  it('receives its stream unchanged if its events have new names', async () => {
    const bytes = toBytes(dialect, [{ event: 'answer.part', data: '{"reasoning_depth":3}' }]);
    streams(
      Buffer.concat([
        toBytes(dialect, framesIn(client).slice(0, 1)),
        bytes,
        toBytes(dialect, framesIn(client).slice(1)),
      ]),
    );
    const { status, text } = await ask(client, { body: request, stream: true });
    expect(status).toBe(200);
    expect(text).toContain('It is water.');
  });

  it('receives only the judged value of a key that is written twice', async () => {
    const twice = JSON.stringify(answer)
      .replaceAll('Hi.', '@')
      .replaceAll(/"(text|content)":"@"/g, `"$1":"${word}","$1":"Hi."`);
    expect(twice).toContain(word);
    answers(twice);
    const whole = await ask(client, { body: request });
    expect(whole.text).not.toContain(word);
    expect(whole.text).toContain('Hi.');
    const bytes = toBytes(dialect, framesIn(client)).toString();
    const frames = bytes.replace(/"(\w+)":"It is water."/, `"$1":"${word}","$1":"It is water."`);
    expect(frames).toContain(word);
    streams(frames);
    const { text } = await ask(client, { body: request, stream: true });
    expect(text).not.toContain(word);
    expect(text).toContain('It is water.');
  });

  it('receives only what was judged if the bytes are not UTF-8', async () => {
    const broken = (text: string): Buffer => Buffer.from(text, 'latin1');
    const [head = '', tail = ''] = [word.slice(0, 4), word.slice(4)];
    answers(broken(JSON.stringify(answer).replaceAll('Hi.', `${head}\xff${tail}`)));
    const whole = await ask(client, { body: request });
    expect(whole.bytes.toString('latin1')).not.toContain(`${head}\xff${tail}`);
    expect(whole.text).toContain(`${head}\ufffd${tail}`);
    expect(whole.text).not.toContain(word);
    streams(broken(toBytes(dialect, framesIn(client)).toString().replaceAll('water', `${head}\xff${tail}`)));
    const { text } = await ask(client, { body: request, stream: true });
    expect(text).toContain(`${head}\ufffd${tail}`);
  });
});

/** A turn of a user, in parts. */
const inParts: Readonly<Record<string, (texts: readonly (string | JsonObject)[]) => JsonObject>> = {
  chat: (texts) => ({ messages: [{ role: 'user', content: texts.map((text) => part(text, { type: 'text', text })) }] }),
  messages: (texts) => ({
    messages: [{ role: 'user', content: texts.map((text) => part(text, { type: 'text', text })) }],
  }),
  cohere: (texts) => ({
    messages: [{ role: 'user', content: texts.map((text) => part(text, { type: 'text', text })) }],
  }),
  responses: (texts) => ({
    input: [{ role: 'user', content: texts.map((text) => part(text, { type: 'input_text', text })) }],
  }),
  gemini: (texts) => ({ contents: [{ role: 'user', parts: texts.map((text) => part(text, { text })) }] }),
};

const part = (text: string | JsonObject, made: JsonObject): JsonObject => (typeof text === 'string' ? made : text);

describe.each(clients.map((client) => [client.dialect.id, client] as const))(
  'a phrase in parts of a turn of %s',
  (id, client) => {
    const phrase = { 'default.contains': { words: ['forbidden words'], operator: 'none' }, deny: true };
    const toTurn = inParts[id] ?? expect.unreachable(`no parts of ${id}`);

    it.each([
      [['for', 'bidden words']],
      [['forbidden ', 'words']],
      [['forbidden', ' words']],
      [['forbidden', ' ', 'words']],
      [['for', '', 'bidden words']],
      [[...'forbidden words']],
      [['Of them. forbidden ', 'words. And so on.', 'More.']],
    ])('is denied: %j', async (texts) => {
      answers(toSample(client).answer);
      expect((await ask(client, { body: toTurn(texts), checks: [phrase] })).status).toBe(446);
      expect(
        (await ask(client, { body: toTurn(texts.map((text) => text.replaceAll('d', 't'))), checks: [phrase] })).status,
      ).toBe(200);
    });

    it('is denied if a part has an unknown member', async () => {
      answers(toSample(client).answer);
      const marked = JSON.parse(
        JSON.stringify(toTurn(['forbidden ', 'words'])).replace('"forbidden "', '"forbidden ","next":1'),
      ) as JsonObject;
      expect((await ask(client, { body: marked, checks: [phrase] })).status).toBe(446);
    });

    it('is counted once', async () => {
      answers(toSample(client).answer);
      const checks = [{ 'default.wordCount': { maxWords: 3 }, deny: true }];
      expect((await ask(client, { body: toTurn(['one two', 'three']), checks })).status).toBe(200);
      expect((await ask(client, { body: toTurn(['one two', 'three four']), checks })).status).toBe(446);
    });
  },
);

describe('a word that a check redacts', () => {
  const redacting = { 'default.regexReplace': { rule: `/${word}/g`, redactText: '[GONE]' } };

  it('is redacted in names, and across two parts that spell it together', async () => {
    const [client = expect.unreachable()] = clients;
    answers(toSample(client).answer);
    const body = { ...(inParts.chat?.(['plu', `tonium and ${word}`]) ?? {}), next: { [word]: 1 } };
    const { status } = await ask(client, { body, checks: [{ ...redacting, deny: false }] });
    expect(status).toBe(200);
    const sent = world.upstream.requests.at(-1)?.body.toString() ?? '';
    expect(sent).not.toMatch(/plu"|tonium/);
    expect(JSON.parse(sent)).toMatchObject({
      messages: [{ content: [{ text: '[GONE]' }, { text: ' and [GONE]' }] }],
      next: { '[GONE]': 1 },
    });
  });
});

describe('a stream of AWS', () => {
  const client: Client = {
    dialect: converse,
    provider: 'bedrock',
    path: '/model/m/converse',
    streamPath: '/model/m/converse-stream',
    prefilled: () => ({}),
  };
  const frames = framesIn(client);

  it.each<readonly [string, Partial<Frame>]>([
    ['the value of a header', { headers: { note: `the ${word}` } }],
    ['the name of a header', { headers: { [word]: 'a' } }],
    ['the type of a message', { headers: { ':message-type': word } }],
    ['the name of an event', { event: word, data: '{}' }],
    ['a member name', { data: JSON.stringify({ contentBlockIndex: 0, delta: { text: 'Hi.' }, next: { [word]: 1 } }) }],
  ])('does not forward the word in %s', async (_where, change) => {
    const at = frames.findIndex(({ data }) => data.includes('water'));
    const [frame = expect.unreachable()] = frames.slice(at, at + 1);
    const body = toBytes(converse, frames.toSpliced(at, 0, { ...frame, ...change }));
    world.upstream.handle((call) =>
      call.answer({ headers: { 'content-type': 'application/vnd.amazon.eventstream' }, body }),
    );
    const { request } = toSample(client);
    expect((await ask(client, { body: request, stream: true })).text).not.toContain(word);
  });
});
