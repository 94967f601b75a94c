import type { Thing } from './world.ts';

/**
 * Sends a request to a path below the base as the admin. A form is sent as multipart. Resolves to the JSON of the answer and
 * rejects if that is an error.
 */
export type Ask = (path: string, body?: object, workspace?: string) => Promise<unknown>;

/** A slow request, so that batches of it can be cancelled while they run. */
const line = JSON.stringify({
  ...{ custom_id: 'lasting', method: 'POST', url: '/v1/chat/completions' },
  body: { model: 'echo?delay_ms=3000', messages: [{ role: 'user', content: 'Hello?' }] },
});

const file = (): FormData => {
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new Blob([line]), 'lasting.jsonl');
  return form;
};

/** Entries that refer to others come after them. */
const bodies: readonly (readonly [path: string, body: object | ((things: ReadonlyMap<string, Thing>) => object)])[] = [
  ['/virtual-keys', { name: 'Lasting', slug: 'lasting-key', provider: 'echo' }],
  ['/providers', { name: 'Lasting', slug: 'lasting', provider: 'echo' }],
  [
    '/guardrails',
    { name: 'Lasting', slug: 'lasting', checks: [{ id: 'contains', parameters: { words: ['x'], operator: 'none' } }] },
  ],
  ['/configs', { name: 'Lasting', slug: 'lasting', config: { provider: '@lasting', input_guardrails: ['lasting'] } }],
  [
    '/policies/usage-limits',
    {
      ...{ conditions: [{ key: 'model', value: 'lasting' }], group_by: [{ key: 'api_key' }] },
      ...{ type: 'tokens', credit_limit: 1e12 },
    },
  ],
  [
    '/policies/rate-limits',
    {
      ...{ conditions: [{ key: 'model', value: 'lasting' }], group_by: [{ key: 'api_key' }] },
      ...{ type: 'requests', unit: 'rpd', value: 1e12 },
    },
  ],
  ['/labels', { name: 'lasting' }],
  ['/collections', { name: 'Lasting' }],
  ['/prompts/partials', { name: 'Lasting', slug: 'lasting', string: 'Be kind, {{who}}.' }],
  [
    '/prompts',
    {
      name: 'Lasting',
      slug: 'lasting',
      string: '[{"role":"user","content":"{{>lasting}} {{q}}"}]',
      parameters: { model: 'echo' },
      virtual_key: 'lasting-key',
    },
  ],
  ['/logs', { request: { url: '/v1/chat/completions', body: {} }, response: { body: {} } }],
  ['/feedback', { trace_id: 'lasting', value: 1 }],
  ['/files', file()],
  ['/responses', { model: '@lasting/any', input: 'Hi', background: true }],
  [
    '/batches',
    (things) => ({
      ...{ input_file_id: things.get('/files')?.id, endpoint: '/v1/chat/completions', completion_window: 'immediate' },
    }),
  ],
  [
    '/fine_tuning/jobs',
    (things) => ({
      ...{ model: 'm', training_file: things.get('/files')?.id, suffix: 'lasting', method: { type: 'supervised' } },
    }),
  ],
];

/** The part of an answer that identifies what was created. */
interface Made extends Thing {
  readonly data?: Thing | readonly Thing[];
  readonly feedback_ids?: readonly string[];
}

const toThing = (made: Made): Thing => {
  const [id] = made.feedback_ids ?? [];
  return id === undefined ? ([made.data ?? made].flat()[0] ?? made) : { id };
};

/** Creates one thing of each kind in a workspace, so that there is always something to refer to. Returns them by collection. */
export const lastingThings = async (
  ask: Ask,
  { workspace, upstream }: { readonly workspace: string; readonly upstream: string },
): Promise<ReadonlyMap<string, Thing>> => {
  const things = new Map<string, Thing>();
  const account = { provider: 'openai', key: 'sk-lasting', settings: { custom_host: upstream } };
  await ask('/virtual-keys', { name: 'Lasting', slug: 'lasting-tuning', ...account }, workspace);
  for (const [path, body] of bodies) {
    const made = await ask(path, typeof body === 'function' ? body(things) : body, workspace);
    things.set(path, toThing(made as Made));
  }
  return things;
};
