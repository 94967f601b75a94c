import { expect, it } from 'vitest';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { GatewayProcess } from '../../support/gateways/gateway-process.ts';
import type { TestUpstream } from '../../support/servers/upstream-server.ts';
import { makePolicy, sharedLimited } from './support/limited-gateway.ts';

interface Subject {
  readonly what: string;
  readonly provider: string;
  readonly path: string;
  readonly body: () => JsonObject | FormData;
  /** The answer, with its usage. */
  readonly answer: JsonObject;
  /** How many requests fit into the budget at a time. The last one may exceed what remains. */
  readonly room: number;
}

const toForm = (fields: Readonly<Record<string, string>>): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('image', new Blob(['PNG']), 'a.png');
  return form;
};

const pictures = (count: number): JsonObject => ({
  created: 1,
  data: Array.from({ length: count }, () => ({ b64_json: 'AAAA' })),
});

/** Each image, search and page costs 0.1 dollars. */
const price = { input: 0, output: 0, image: 0.1, search: 0.1, page: 0.1 };
const document = { type: 'document_url', document_url: 'https://example.com/a.pdf' };

const subjects: readonly Subject[] = [
  {
    ...{ what: 'a picture', provider: 'openai', path: '/images/generations', room: 10 },
    body: () => ({ model: 'm', prompt: 'A cat.' }),
    answer: pictures(1),
  },
  {
    ...{ what: 'five pictures', provider: 'openai', path: '/images/generations', room: 2 },
    body: () => ({ model: 'm', prompt: 'A cat.', n: 5 }),
    answer: pictures(5),
  },
  {
    ...{ what: 'four pictures of another format', provider: 'google', path: '/images/generations', room: 3 },
    body: () => ({ model: 'imagen-4', prompt: 'A cat.', n: 4 }),
    answer: { predictions: Array.from({ length: 4 }, () => ({ bytesBase64Encoded: 'AAAA', mimeType: 'image/png' })) },
  },
  {
    ...{ what: 'five changed pictures', provider: 'openai', path: '/images/edits', room: 2 },
    body: () => toForm({ model: 'm', prompt: 'A cat.', n: '5' }),
    answer: pictures(5),
  },
  {
    ...{ what: 'five variations', provider: 'openai', path: '/images/variations', room: 2 },
    body: () => toForm({ model: 'm', n: '5' }),
    answer: pictures(5),
  },
  {
    ...{ what: 'a search', provider: 'cohere', path: '/rerank', room: 10 },
    body: () => ({ model: 'm', query: 'q', documents: ['one'] }),
    answer: { results: [], meta: { billed_units: { search_units: 1 } } },
  },
  {
    ...{ what: 'a search of many documents', provider: 'cohere', path: '/rerank', room: 5 },
    body: () => ({ model: 'm', query: 'q', documents: Array.from({ length: 101 }, () => 'one') }),
    answer: { results: [], meta: { billed_units: { search_units: 2 } } },
  },
  {
    ...{ what: 'a document', provider: 'mistral-ai', path: '/ocr', room: 10 },
    body: () => ({ model: 'm', document }),
    answer: { pages: [], usage_info: { pages_processed: 1 } },
  },
];

const send = async (gateway: GatewayProcess, key: string, { path, body }: Subject): Promise<number> => {
  const sent = body();
  const answer = await fetch(`${gateway.baseUrl}${path}`, {
    method: 'POST',
    headers: {
      ...(sent instanceof FormData ? {} : { 'content-type': 'application/json' }),
      ...{ 'x-gw-api-key': key, 'x-gw-provider': '@main' },
    },
    body: sent instanceof FormData ? sent : JSON.stringify(sent),
  });
  await answer.arrayBuffer();
  return answer.status;
};

const asked = 14;

/** Sends requests at the same time. None is answered before all have been admitted or refused. */
const sendAll = async (
  {
    gateway,
    upstream,
    key,
  }: { readonly gateway: GatewayProcess; readonly upstream: TestUpstream; readonly key: string },
  subject: Subject,
): Promise<number> => {
  const { promise: decided, resolve } = Promise.withResolvers<void>();
  let known = 0;
  const count = (): void => {
    known += 1;
    if (known === asked) resolve();
  };
  upstream.handle(async (call) => {
    count();
    await decided;
    call.json(subject.answer);
  });
  const statuses = await Promise.all(
    Array.from({ length: asked }, async () => {
      const status = await send(gateway, key, subject);
      if (status !== 200) count();
      return status;
    }),
  );
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  return statuses.filter((status) => status === 200).length;
};

const limited = sharedLimited({
  files: { 'gateway.json': { prices: Object.fromEntries(subjects.map(({ provider }) => [provider, { '*': price }])) } },
});

it.each(subjects)('a budget of a dollar has room for $room at a time of $what', async (subject) => {
  const { provider, room } = subject;
  const { gateway, upstream, key } = await limited({ provider });
  await makePolicy(gateway, 'usage-limits', { type: 'cost', credit_limit: 1 });
  expect(await sendAll({ gateway, upstream, key: key.key }, subject)).toBe(room);
});
