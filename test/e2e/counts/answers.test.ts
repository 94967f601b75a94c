import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';
import { askedModel, counted, countingWorld, instructions, type Row, rows, words } from './support/counting-world.ts';

const world = gatewayAndUpstream();
const { headersOf, serve } = countingWorld(world);

const post = (path: string, body: unknown, headers: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${world.gateway.origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const rowOf = (name: string): Row => rows.find((row) => row.name === name) ?? expect.unreachable(name);

const [anthropic, google, groq, openai] = ['anthropic', 'google', 'groq', 'openai'].map(rowOf) as [Row, Row, Row, Row];

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };

/** A request for each client, with its path. */
const countRequests: Readonly<Record<string, { readonly path: string; readonly body: JsonObject }>> = {
  'messages-count': {
    path: '/v1/messages/count_tokens',
    body: { model: askedModel, system: instructions, messages: [{ role: 'user', content: words }] },
  },
  'responses-count': {
    path: '/v1/responses/input_tokens',
    body: { model: askedModel, instructions, input: words },
  },
  'gemini-count': {
    path: `/v1beta/models/${askedModel}:countTokens`,
    body: {
      generateContentRequest: {
        model: `models/${askedModel}`,
        systemInstruction: { parts: [{ text: instructions }] },
        contents: [{ role: 'user', parts: [{ text: words }] }],
      },
    },
  },
  'converse-count': {
    path: `/model/${askedModel}/count-tokens`,
    body: {
      input: {
        converse: { system: [{ text: instructions }], messages: [{ role: 'user', content: [{ text: words }] }] },
      },
    },
  },
};

describe.each(Object.entries(countRequests))('a count in the form of %s', (dialect, { path, body }) => {
  it.each(['anthropic', 'google', 'openai'])('is sent with the instructions to %s', async (name) => {
    const row = rowOf(name);
    const requests = serve(row);
    expect((await post(path, body, headersOf(row))).status).toBe(200);
    expect(requests[0]?.text()).toContain(instructions);
    expect(requests[0]?.text()).toContain(words);
  });

  it("is the provider's error instead of an estimate if the provider fails", async () => {
    world.upstream.handle((call) =>
      call.json({ type: 'error', error: { type: 'rate_limit_error', message: 'Slow down.' } }, { status: 429 }),
    );
    const answer = await post(path, body, headersOf(anthropic));
    expect([answer.status, answer.headers.get('x-gw-estimated')]).toEqual([429, null]);
    expect(await answer.text()).toContain('Slow down.');
  });

  it("is answered with 502 if the provider's answer has no count", async () => {
    world.upstream.handle((call) => call.json({ input_tokens: 'many', totalTokens: -1 }));
    const row = dialect === 'gemini-count' ? anthropic : google;
    expect((await post(path, body, headersOf(row))).status).toBe(502);
  });

  it('falls back from a failing provider to an estimate', async () => {
    let count = 0;
    world.upstream.handle((call) => {
      count += 1;
      call.json({ error: { message: 'Overloaded' } }, { status: 503 });
    });
    const targets = [anthropic, groq].map((row) => JSON.parse(headersOf(row)['x-gw-config'] ?? ''));
    const config = JSON.stringify({ strategy: { mode: 'fallback' }, targets });
    const answer = await post(path, body, { 'x-gw-config': config });
    expect([answer.status, answer.headers.get('x-gw-estimated'), count]).toEqual([200, 'true', 1]);
    expect(answer.headers.get('x-gw-last-used-option-index')).toBe('config.targets[1]');
    expect(answer.headers.get('x-gw-provider')).toBe('groq');
  });

  it.each(['anthropic', 'groq'])('is judged by the input checks at %s', async (name) => {
    const row = rowOf(name);
    const requests = serve(row);
    const denying = (word: string) => ({
      input_guardrails: [{ 'default.contains': { words: [word], operator: 'none' }, deny: true }],
    });
    expect((await post(path, body, headersOf(row, denying('tokens')))).status).toBe(446);
    expect(requests).toEqual([]);
    const output = { output_guardrails: [{ 'default.contains': { words: ['x'], operator: 'none' }, deny: true }] };
    expect((await post(path, body, headersOf(row, { ...denying('horse'), ...output }))).status).toBe(200);
  });

  it('is changed by input checks that redact', async () => {
    const requests = serve(anthropic);
    const redacting = { input_guardrails: [{ 'default.regexReplace': { rule: 'tokens', redactText: '[WORD]' } }] };
    expect((await post(path, body, headersOf(anthropic, redacting))).status).toBe(200);
    expect(requests[0]?.text()).toContain('How many [WORD] is this?');
  });

  it('is cached if the config requests it, unless it is an estimate', async () => {
    const cached = { cache: { mode: 'simple' } };
    const requests = serve(anthropic);
    const statuses = [];
    for (const row of [anthropic, anthropic, groq, groq]) {
      const { headers } = await post(path, { ...body }, headersOf(row, cached));
      statuses.push(headers.get('x-gw-cache-status'));
    }
    expect(statuses).toEqual(['MISS', 'HIT', 'DISABLED', 'DISABLED']);
    expect(requests).toHaveLength(1);
  });

  it.each(['anthropic', 'google', 'groq'])(
    'is sent with the model and only those parameters of the config that affect it, at %s',
    async (name) => {
      const row = { ...rowOf(name), model: askedModel };
      const paths = row.counts.map((each) => ({ ...each, path: each.path.replace(askedModel, 'another') }));
      const format = { check: () => {}, answer: { input_tokens: counted, totalTokens: counted } };
      const requests = serve({ ...row, counts: paths.map((each) => ({ ...each, format })) });
      const override_params = { model: 'another', temperature: 0.5, max_tokens: 9, top_k: 4 };
      expect((await post(path, body, headersOf(row, { override_params }))).status).toBe(200);
      if (row.counts.length === 0) return;
      const [sent] = requests;
      expect(JSON.stringify([sent?.path, sent?.json()])).toContain('another');
      expect(JSON.stringify([sent?.path, sent?.json()])).not.toMatch(/a-model|temperature|max_?[tT]okens|top_?[kK]/);
    },
  );

  it.each(['anthropic', 'google', 'groq'])('is answered with 400 at %s if its body is malformed', async (name) => {
    const row = rowOf(name);
    const requests = serve({ ...row, counts: [] });
    for (const wrong of ['{', '[]', '""', 'null', '']) {
      const answer = await post(path, wrong, headersOf(row));
      // A provider reports errors of a body in its own dialect itself.
      if (requests.length === 0) expect(answer.status).toBe(400);
      expect(answer.status).toBeGreaterThanOrEqual(400);
    }
  });

  it('costs nothing', async () => {
    for (const row of [anthropic, groq]) {
      serve(row);
      const answer = await post(path, body, { ...headersOf(row), 'x-gw-usage': 'true' });
      const usage = JSON.parse(answer.headers.get('x-gw-usage') ?? '');
      expect(usage).toEqual({ kind: 'none', model: askedModel, input: { total: 0 }, output: { total: 0 } });
      expect(answer.headers.get('x-gw-cost')).toBeNull();
    }
  });
});

describe('a count', () => {
  it.each([
    ['messages-count', anthropic, { model: askedModel, messages: [{ role: 'user', content: words }], new_member: 1.0 }],
    ['gemini-count', google, { contents: [{ parts: [{ text: words, newMember: true }] }] }],
    ['responses-count', openai, { model: askedModel, input: words, new_member: [1e3] }],
  ] as const)('in the form of %s is forwarded unchanged if the provider has that form', async (dialect, row, body) => {
    const text = JSON.stringify(body, null, 3).replace('true', 'true ');
    const requests = serve({
      ...row,
      counts: row.counts.map((each) => ({ ...each, format: { ...each.format, check: () => {} } })),
    });
    const answer = await post(countRequests[dialect]?.path ?? '', text, headersOf(row));
    expect(requests[0]?.text()).toBe(text);
    expect(await answer.json()).toEqual(row.counts[0]?.format.answer);
  });

  it("of Bedrock may contain the body of an invocation, which is Claude's at other providers", async () => {
    const invoked = {
      anthropic_version: 'bedrock-2023-05-31',
      max_tokens: 9,
      messages: [{ role: 'user', content: words }],
    };
    const toBody = (body: object) => ({
      input: { invokeModel: { body: Buffer.from(JSON.stringify(body)).toString('base64') } },
    });
    const path = `/model/${askedModel}/count-tokens`;
    const claudes = serve(anthropic);
    expect(await (await post(path, toBody(invoked), headersOf(anthropic))).json()).toEqual({ inputTokens: counted });
    const content = [{ type: 'text', text: words }];
    expect(claudes[0]?.json()).toEqual({ model: askedModel, messages: [{ role: 'user', content }] });
    const bedrock = rowOf('bedrock, Claude');
    const own = serve(bedrock);
    expect((await post(path, toBody({ inputText: words }), headersOf(bedrock))).status).toBe(200);
    expect(own[0]?.json()).toEqual(toBody({ inputText: words }));
    expect((await post(path, toBody({ inputText: words }), headersOf(groq))).status).toBe(400);
    const denying = { input_guardrails: [{ 'default.contains': { words: ['x'], operator: 'none' }, deny: true }] };
    expect((await post(path, toBody(invoked), headersOf(bedrock, denying))).status).toBe(446);
  });

  it.each([
    ['no messages', 'messages-count', { model: askedModel }, 'messages'],
    ['a number as a message', 'messages-count', { model: askedModel, messages: [1] }, 'messages[0]'],
    ['no request', 'converse-count', {}, 'input'],
    ['two requests', 'converse-count', { input: { converse: {}, invokeModel: {} } }, 'input'],
    [
      'a request beside contents',
      'gemini-count',
      { contents: [], generateContentRequest: {} },
      'generateContentRequest',
    ],
    ['a request that is not an object', 'gemini-count', { generateContentRequest: 'x' }, 'generateContentRequest'],
    ['a number as its input', 'responses-count', { model: askedModel, input: 7 }, 'input'],
  ])('with %s is answered with 400 in the form of its client', async (_, dialect, body, member) => {
    for (const row of [groq, dialect === 'messages-count' ? openai : anthropic]) {
      const requests = serve(row);
      const answer = await post(countRequests[dialect]?.path ?? '', body, headersOf(row));
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain(member);
      expect(requests).toEqual([]);
    }
  });

  it('is sent without proofs of another provider', async () => {
    const thought = { type: 'thinking', thinking: 'Well.', signature: 'gw1.0123456789abcdef.proof' };
    const requests = serve(anthropic);
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: [thought, { type: 'text', text: 'Ho' }] },
      { role: 'user', content: words },
    ];
    const { path } = countRequests['messages-count'] ?? expect.unreachable();
    expect((await post(path, { model: askedModel, messages }, headersOf(anthropic))).status).toBe(200);
    expect(requests[0]?.text()).not.toMatch(/gw1|proof/);
  });

  it('reports what the format of a provider cannot express', async () => {
    serve(openai);
    const body = { model: askedModel, messages: [{ role: 'user', content: [image, { type: 'text', text: words }] }] };
    const sound = {
      input: {
        converse: {
          messages: [
            { role: 'user', content: [{ video: { format: 'mp4', source: { bytes: 'AAAA' } } }, { text: words }] },
          ],
        },
      },
    };
    const { path } = countRequests['messages-count'] ?? expect.unreachable();
    expect((await post(path, body, headersOf(openai))).headers.get('x-gw-dropped-params')).toBeNull();
    const answer = await post(countRequests['converse-count']?.path ?? '', sound, headersOf(openai));
    expect([answer.status, answer.headers.get('x-gw-dropped-params')]).toEqual([
      200,
      expect.stringContaining('turns[0].parts[0]'),
    ]);
  });
});
