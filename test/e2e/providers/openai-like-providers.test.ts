import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import { openaiLikeProviders } from '../../../plugins/providers/openai-like/rows.ts';
import { dialectBasePath } from '../../../plugins/sdk/provider/dialect-base-path.ts';
import { toPath } from '../../../plugins/sdk/provider/fill-model.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import { readDrop } from '../../../plugins/sdk/provider/read-drop.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { toObjects } from '../../../schema/json/loose.ts';
import { secretHeaders } from '../../providers-table/targets.ts';
import { startGateway } from '../../support/gateways/gateway-process.ts';
import type { ReceivedRequest, UpstreamCall } from '../../support/servers/upstream-server.ts';
import { gatewayAndUpstream } from '../support/gateway-and-upstream.ts';

const world = gatewayAndUpstream();

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' };
const outputText = { type: 'output_text', text: 'Hello.', annotations: [] };

/** The request and the answer of each operation. */
interface Exchanged {
  readonly path: string;
  readonly body: JsonObject;
  /** JSON, or audio. */
  readonly answer: JsonObject | string;
  /** Whether the request is a form with a file. */
  readonly isForm?: true;
}

const transcribed = { body: { prompt: 'Hi' }, answer: { text: 'Hello.' }, isForm: true } as const;
const drawn = { body: { prompt: 'Hi' }, answer: { created: 1, data: [{ b64_json: 'AAAA' }] }, isForm: true } as const;

const exchanges: Readonly<Record<string, Exchanged>> = {
  chat: {
    path: '/chat/completions',
    body: { messages: [{ role: 'user', content: 'Hi' }] },
    answer: {
      object: 'chat.completion',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
      usage,
    },
  },
  completions: {
    path: '/completions',
    body: { prompt: 'Hi' },
    answer: { object: 'text_completion', choices: [{ index: 0, text: 'Hello.', finish_reason: 'stop' }], usage },
  },
  embeddings: {
    path: '/embeddings',
    body: { input: 'Hi' },
    answer: { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.5] }], usage },
  },
  speech: { path: '/audio/speech', body: { input: 'Hi', voice: 'alloy' }, answer: 'sound' },
  transcriptions: { path: '/audio/transcriptions', ...transcribed },
  translations: { path: '/audio/translations', ...transcribed },
  'image-edits': { path: '/images/edits', ...drawn },
  'image-variations': { path: '/images/variations', ...drawn },
  images: {
    path: '/images/generations',
    body: { prompt: 'Hi' },
    answer: {
      created: 1,
      data: [{ b64_json: 'AAAA' }],
      usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
    },
  },
  responses: {
    path: '/responses',
    body: { input: 'Hi' },
    answer: {
      ...{ id: 'resp_1', object: 'response', status: 'completed', model: 'a-model' },
      output: [{ ...message, content: [outputText] }],
      usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
    },
  },
  rerank: {
    path: '/rerank',
    body: { query: 'Which?', documents: ['one', 'two'] },
    answer: { results: [{ index: 1, relevance_score: 0.5 }], usage: { total_tokens: 3 } },
  },
  moderations: {
    path: '/moderations',
    body: { input: 'Hi' },
    answer: { id: 'm', model: 'a-model', results: [{ flagged: false, categories: {}, category_scores: {} }] },
  },
  ocr: {
    path: '/ocr',
    body: { document: { type: 'document_url', document_url: 'https://files.example.com/a.pdf' } },
    answer: {
      model: 'a-model',
      pages: [{ index: 0, markdown: 'Hello.', images: [] }],
      usage_info: { pages_processed: 1 },
    },
  },
  messages: {
    path: '/messages',
    // A service that hosts models of several makers may support this dialect only for this maker's models.
    body: { model: 'claude-a', max_tokens: 8, messages: [{ role: 'user', content: 'Hi' }] },
    answer: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'a-model', stop_reason: 'end_turn' },
      content: [{ type: 'text', text: 'Hello.' }],
      usage: { input_tokens: 3, output_tokens: 2 },
    },
  },
  'messages-count': {
    path: '/messages/count_tokens',
    body: { messages: [{ role: 'user', content: 'Hi' }] },
    answer: { input_tokens: 3 },
  },
  'responses-count': {
    path: '/responses/input_tokens',
    body: { input: 'Hi' },
    answer: { object: 'response.input_tokens', input_tokens: 3 },
  },
};

/** Returns the path of the provider's own base URL. */
const basePath = ({ baseUrl }: Provider): string =>
  typeof baseUrl === 'string' ? new URL(baseUrl).pathname.replace(/\/$/, '') : '/v1';

const toForm = (body: JsonObject): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) form.set(name, String(value));
  form.set('file', new Blob(['file']), 'a.bin');
  return form;
};

const ask = async (provider: Provider, path: string, body: JsonObject | FormData | string): Promise<Response> =>
  fetch(`${world.gateway.origin}${path}`, {
    method: 'POST',
    headers: {
      ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      'x-gw-config': JSON.stringify({
        provider: provider.id,
        api_key: 'key-of-the-test',
        custom_host: `${world.upstream.origin}${basePath(provider)}`,
      }),
    },
    body: body instanceof FormData || typeof body === 'string' ? body : JSON.stringify(body),
  });

const answerWith = (call: UpstreamCall, answer: JsonObject | string): void =>
  typeof answer === 'string'
    ? call.answer({ headers: { 'content-type': 'audio/mpeg' }, body: answer })
    : call.json(answer);

const received = (answer: (call: UpstreamCall) => void): readonly ReceivedRequest[] => {
  const requests: ReceivedRequest[] = [];
  world.upstream.handle((call) => {
    requests.push(call.request);
    answer(call);
  });
  return requests;
};

/** A request with a form for each parameter that some service rejects. */
const geminiRequest: JsonObject = {
  systemInstruction: { parts: [{ text: 'Be short.' }] },
  contents: [{ role: 'user', parts: [{ text: 'Hi' }] }],
  generationConfig: {
    ...{ maxOutputTokens: 9, temperature: 0.5, topP: 0.5, seed: 7, stopSequences: ['END'] },
    ...{ presencePenalty: 0.5, frequencyPenalty: 0.5, responseLogprobs: true, logprobs: 2 },
  },
};

/** Formats of a service's own, into which requests are translated: `images.test.ts` calls those services. */
const isOwnFormat = (dialect: string): boolean => dialect.endsWith('-images');

const conversations: ReadonlySet<string> = new Set(
  builtinDialects.filter(({ operation }) => operation === 'converse').map(({ id }) => id),
);

describe.each(openaiLikeProviders.map((provider) => [provider.id, provider] as const))('%s', (_, provider) => {
  it.each(Object.keys(provider.speaks).filter((dialect) => !isOwnFormat(dialect)))(
    'gets %s at its own path, with the key in the place that its row specifies',
    async (operation) => {
      const { path, body, answer, isForm } = exchanges[operation] ?? expect.unreachable(`Ask for ${operation} above.`);
      const requests = received((call) => answerWith(call, answer));
      const asked = { model: 'a-model', ...body };
      const answered = await ask(provider, `/v1${path}`, isForm === true ? toForm(asked) : asked);
      const text = await answered.text();
      expect([answered.status, typeof answer === 'string' ? text : JSON.parse(text)]).toEqual([200, answer]);
      const own = toPath(provider.speaks[operation] ?? expect.unreachable(), {
        call: { settings: {}, model: 'a-model', stream: false },
        provider: provider.id,
      });
      expect(requests.map(({ path: at, method }) => `${method} ${at}`)).toEqual([
        `POST ${dialectBasePath(provider, operation, basePath(provider))}${own}`,
      ]);
      const secrets = secretHeaders(provider);
      expect(secrets).toHaveLength(1);
      expect(secrets.map(([name]) => [name, requests[0]?.header(name)])).toEqual(secrets);
    },
  );

  it.runIf(provider.speaks.chat !== undefined)(
    'gets developer instructions from its own clients in the role that it knows, and everything else unchanged',
    async () => {
      const requests = received((call) => answerWith(call, exchanges.chat?.answer ?? expect.unreachable()));
      const body = (role: string, model = 'a-model'): string =>
        `{"model":"${model}", "temperature":1.50, "top_k":4, "messages":[{"role":"${role}","content":"a"},{"role":"user","content":"b"}]}`;
      expect((await ask(provider, '/v1/chat/completions', body('developer'))).status).toBe(200);
      const role = provider.adaptsMarked?.chat === undefined ? 'developer' : 'system';
      expect(requests[0]?.text()).toBe(body(role, provider.bodyModel?.('a-model', {})));
    },
  );

  /** The dialect for clients of another format; undefined for a service without conversations. */
  const first = Object.keys(provider.speaks).find((id) => conversations.has(id));

  it.runIf(first !== undefined).each(['whole', 'stream'])(
    'gets no parameter that it rejects from clients of another format (%s)',
    async (how) => {
      const { answer } = exchanges[first ?? expect.unreachable()] ?? expect.unreachable();
      const isStream = how === 'stream' && first === 'chat';
      const requests = received((call) => {
        if (!isStream) return answerWith(call, answer);
        const events = call.sse();
        events.frame({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Hello.' } }] });
        events.frame({
          object: 'chat.completion.chunk',
          choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
          usage,
        });
        return events.done();
      });
      const verb = isStream ? 'streamGenerateContent?alt=sse' : 'generateContent';
      const answered = await ask(provider, `/v1beta/models/a-model:${verb}`, geminiRequest);
      expect([answered.status, await answered.text()]).toEqual([200, expect.stringContaining('Hello.')]);
      const [sent] = requests;
      const body = sent?.json() as JsonObject;
      const names = Object.keys(body);
      expect(names.filter((name) => readDrop(provider, {}).includes(name))).toEqual([]);
      expect(names).toEqual(expect.arrayContaining(['model']));
      if (first === 'chat') {
        expect(body.max_tokens ?? body.max_completion_tokens).toBe(9);
        const [instructions] = toObjects(body.messages);
        expect(provider.adapt === undefined ? ['developer', 'system'] : ['system']).toContain(instructions?.role);
        expect('stream_options' in body).toBe(isStream);
      }
    },
  );
});

describe('a service that has a dialect at a separate path', () => {
  const { moonshot } = Object.fromEntries(openaiLikeProviders.map((provider) => [provider.id, provider]));

  it.each([
    ['/v1', '/anthropic/v1'],
    ['/proxy/v1', '/proxy/anthropic/v1'],
    ['', '/anthropic/v1'],
    ['/other', '/other/anthropic/v1'],
  ])('with base path %j serves it below %s', (base, expected) => {
    expect(dialectBasePath(moonshot ?? expect.unreachable(), 'messages', base)).toBe(expected);
    expect(dialectBasePath(moonshot ?? expect.unreachable(), 'chat', base)).toBe(base);
  });
});

describe('a service without a row', () => {
  const answer = { object: 'chat.completion', choices: [], usage };

  it.each([
    ['base_url', (origin: string) => ({ settings: { base_url: `${origin}/v1/` } })],
    ['custom_host', (origin: string) => ({ settings: { custom_host: `${origin}/v1` } })],
  ])('can be saved with its address as %s', async (_, saved) => {
    const files = {
      'gateway.json': {
        providers: {
          mine: {
            provider: 'openai-compatible',
            ...saved(world.upstream.origin),
            credential: { api_key: '${env:KEY}' },
          },
        },
        configs: './configs',
        default_config: 'main',
      },
      'configs/main.json': { provider: '@mine' },
    };
    const own = await startGateway({ files, args: ['--config', 'gateway.json'], env: { KEY: 'key-of-the-file' } });
    try {
      const requests = received((call) => call.json(answer));
      const answered = await fetch(`${own.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages: [] }),
      });
      expect([answered.status, await answered.json()]).toEqual([200, answer]);
      expect(requests.map((each) => [each.path, each.header('authorization')])).toEqual([
        ['/v1/chat/completions', 'Bearer key-of-the-file'],
      ]);
    } finally {
      await own.stop();
    }
  });

  it('without an address returns an error that names the setting', async () => {
    const answered = await fetch(`${world.gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-gw-provider': 'openai-compatible', authorization: 'Bearer k' },
      body: '{"model":"m","messages":[]}',
    });
    expect([answered.status, await answered.text()]).toEqual([400, expect.stringContaining('custom_host')]);
  });
});
