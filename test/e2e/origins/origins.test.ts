import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { headerTable } from '../../../runtime/http/headers/header-table.ts';
import { isSampled, sampleNumber } from '../../support/run/sampled-pairs.ts';
import { startUpstream } from '../../support/servers/upstream-server.ts';
import { openaiAnswer } from '../../support/vendors/openai-wire.ts';
import {
  backgroundOperation,
  controlOperations,
  dialectOperations,
  isMaking,
  type Operation,
  otherOperations,
} from './support/operations.ts';
import { type OriginsWorld, type Owner, startOrigins } from './support/origins-world.ts';

let world: OriginsWorld;
let operations: readonly Operation[];

beforeAll(async () => {
  world = await startOrigins();
  operations = [...dialectOperations, ...controlOperations(world.routes), ...otherOperations];
});
afterAll(() => world[Symbol.asyncDispose]());

type Lines = Readonly<Record<string, string>>;

/** The headers by which a caller chooses where its request goes or what is sent along, each in a few spellings. */
const choosing: Readonly<Record<string, (host: string) => readonly Lines[]>> = {
  'x-gw-custom-host': (host) => [
    { 'x-gw-custom-host': `${host}/v1` },
    { 'X-GW-Custom-Host': host.toUpperCase().replace('HTTP', 'http') },
    { 'x-gw-custom-host': `${host}/v1/%2e%2e/` },
  ],
  'x-gw-forward-headers': () => [
    { 'x-gw-forward-headers': 'x-team', 'x-team': 'a' },
    { 'x-gw-forward-headers': '["X-Team"]', 'x-team': 'a' },
  ],
};

/** Headers that select beta features or a version of a provider's API. The provider gets them from every caller. */
const betas: Lines = { 'x-gw-anthropic-beta': 'b', 'x-gw-anthropic-version': 'v', 'x-gw-llmv-beta': 'b' };

/** Settings that would lead elsewhere if the caller could set them. */
const settings: Lines = Object.fromEntries(
  headerTable
    .map(({ name }) => name)
    .filter(
      (name) =>
        /^x-gw-(?:cloud[abc]|llmv|workers-ai|fireworks|snowflake|oracle|huggingface|mistral|stability|amzn-sagemaker)-|^x-cloudb-/.test(
          name,
        ) && !(name in betas),
    )
    .map((name) => [
      name,
      name.endsWith('-json')
        ? '{"client_email":"evil"}'
        : name.includes('region')
          ? 'eu-west-9'
          : name === 'x-cloudb-llm-request-type'
            ? 'shared'
            : name.endsWith('fim-completion')
              ? 'true'
              : name.endsWith('base-url')
                ? 'https://evil.example/v1'
                : 'evil',
    ]),
);

/** Headers that do not affect where a request goes. */
const harmless = new Set([
  // These name the caller and the plan, which all of these tests vary.
  ...['x-gw-api-key', 'x-gw-workspace', 'x-gw-config', 'x-gw-virtual-key', 'x-gw-provider', 'authorization', 'cookie'],
  ...[
    'x-gw-request-timeout',
    'x-gw-deadline',
    'x-gw-max-cost',
    'x-gw-strict-llmv-compliance',
    'x-gw-usage',
    'x-gw-trace-id',
    ...['x-gw-span-id', 'x-gw-parent-span-id', 'x-gw-span-name'],
    'x-gw-metadata',
  ],
  ...[
    'x-gw-cache-force-refresh',
    'x-gw-cache-namespace',
    'x-gw-debug',
    'x-gw-sensitive-headers',
    'traceparent',
    'baggage',
  ],
  ...['host', 'origin', 'content-type', 'content-length', 'content-encoding', 'transfer-encoding', 'expect'],
  ...['upgrade', 'sec-websocket-protocol'],
  ...Object.keys(betas),
  ...['x-amz-date', 'x-amz-content-sha256', 'x-amz-security-token'],
]);

const isSeen = ({ head }: { readonly head: string }, { secret }: Owner): boolean => head.includes(secret);

/** The gateway queries a batch again after its request has been answered. */
const isWatching = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
  method === 'GET' && path.includes('/batches/');

/** Whether the host that the owner named has received the credential since then, by an operation. */
const hasReached = (owner: Owner, { request }: Operation, since: number): boolean =>
  world.named.requests
    .slice(since)
    .some((got) => isSeen(got, owner) && (request.includes('/batches/') || !isWatching(got)));

/** Each day, one owner in this many tries an operation. */
const oneIn = 12;

/** Returns the operations that an owner tries today. */
const sampleOf = (owner: Owner): readonly Operation[] => {
  const ownerAt = world.owners.indexOf(owner);
  return operations.filter((_, operationAt) => isSampled(ownerAt, operationAt, oneIn));
};

/** Returns all spellings of a header if everything is tried, or else one, which changes with each operation. */
const spellingsFor = (owner: Owner, operation: Operation, spellings: readonly Lines[]): readonly Lines[] => {
  const pairAt = world.owners.indexOf(owner) + operations.indexOf(operation) + sampleNumber;
  return spellings.filter((_, at) => isSampled(Math.floor(pairAt / oneIn), at, spellings.length));
};

const isReached = async (owner: Owner, operation: Operation): Promise<boolean> => {
  const since = world.named.requests.length;
  const { status } = await world.send(operation, owner);
  // While a request is refused because its provider lacks the operation, the gateway may query jobs that run in the background.
  return status !== 501 && hasReached(owner, operation, since);
};

const make = async (owner: Owner): Promise<void> => {
  for (const operation of operations) if (isMaking(operation)) await world.send(operation, owner);
};

/**
 * Returns the operations in which an owner's credential is sent without a header that chooses, so that a refusal means
 * something.
 */
const reached = async (owner: Owner): Promise<readonly Operation[]> => {
  const sample = sampleOf(owner);
  // Some operations name what another one creates, which may not be in the sample.
  if (sample.length < operations.length && sample.some(({ request }) => request.includes('{'))) await make(owner);
  const found: Operation[] = [];
  for (const operation of sample) if (await isReached(owner, operation)) found.push(operation);
  // Every owner has at least one, which may not be in the sample either.
  for (const operation of operations)
    if (found.length === 0 && !sample.includes(operation) && (await isReached(owner, operation))) found.push(operation);
  // The last operations have deleted what the others name.
  if (sample.some(({ request }) => request.startsWith('DELETE'))) await make(owner);
  return found;
};

const named = (owner: Owner, operation: Operation, lines: Lines): string =>
  `${owner.name}: ${operation.request} with ${JSON.stringify(lines)}`;

describe('a header that the gateway reads', () => {
  it('chooses a destination, is a setting, or is known to do neither', () => {
    const names = headerTable.map(({ name }) => name);
    expect(names.filter((name) => !(name in choosing) && !(name in settings) && !harmless.has(name))).toEqual([]);
    expect([...Object.keys(choosing), ...harmless].filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('a credential that a request did not bring', () => {
  const reachedBy = new Map<string, readonly Operation[]>();

  it('is sent to the host that its owner named, by every operation', async () => {
    const all = new Set<string>();
    for (const owner of world.owners) {
      const found = await reached(owner);
      reachedBy.set(owner.name, found);
      expect(found.length, owner.name).toBeGreaterThan(0);
      for (const { request } of found) all.add(request);
    }
    // Operations that few owners can use may have been tried by none of them.
    for (const operation of operations)
      for (const owner of world.owners)
        if (!all.has(operation.request) && (await isReached(owner, operation))) all.add(operation.request);
    const never = operations.filter(({ request }) => !all.has(request)).map(({ request }) => request);
    expect(never).toEqual([]);
  }, 300_000);

  it.each(Object.keys(choosing))(
    'is not sent with %s: the request is refused, and nothing reaches any host',
    async (header) => {
      const before = world.spy.accepted;
      const spellings = choosing[header]?.(world.spy.origin) ?? [];
      for (const owner of world.owners)
        for (const operation of sampleOf(owner))
          for (const lines of spellingsFor(owner, operation, spellings)) {
            const since = world.named.requests.length;
            const { status, text } = await world.send(operation, owner, lines);
            const what = named(owner, operation, lines);
            expect(hasReached(owner, operation, since), what).toBe(false);
            expect(world.spy.accepted, what).toBe(before);
            if (reachedBy.get(owner.name)?.includes(operation) !== true) continue;
            expect(`${status} ${text}`, what).toMatch(/^400 .*credential-origin-mismatch/s);
            expect(text, what).not.toContain(owner.secret);
          }
    },
    300_000,
  );

  it.each(Object.keys(choosing))('is not stored for later with %s', async (header) => {
    const codes = new Set<string>();
    for (const [ownerAt, owner] of world.owners.entries())
      for (const [at, lines] of choosing[header]?.(world.spy.origin).entries() ?? []) {
        if (!isSampled(ownerAt, at, 2)) continue;
        const { status, text } = await world.send(backgroundOperation, owner, lines);
        expect(status, named(owner, backgroundOperation, lines)).toBe(400);
        codes.add(String(JSON.parse(text).error.code));
      }
    // A config with its own credential is refused earlier.
    expect([...codes].sort()).toEqual(['background_not_possible', 'credential-origin-mismatch']);
  });

  it('is sent to the host that its owner named, whatever settings a caller sends in headers', async () => {
    for (const owner of world.owners) {
      for (const operation of reachedBy.get(owner.name) ?? []) {
        const since = world.named.requests.length;
        const { status, text } = await world.send(operation, owner, settings);
        const what = `${named(owner, operation, settings)}: ${status} ${text}`;
        expect(hasReached(owner, operation, since), what).toBe(true);
        expect(
          world.named.requests
            .slice(since)
            .map(({ head }) => head)
            .join(),
          what,
        ).not.toContain('evil');
      }
    }
    expect(world.spy.accepted).toBe(0);
  }, 300_000);
});

describe('a credential that a request brought', () => {
  it.each([
    ['in a header', { 'x-gw-provider': 'openai', authorization: 'Bearer sk-of-the-caller' }],
    ['in its config', { 'x-gw-config': '{"provider":"openai","api_key":"sk-of-the-caller"}' }],
  ])('%s is sent where the request specifies, with the headers that it forwards', async (_, headers) => {
    const own = await startUpstream((call) => call.json(openaiAnswer({ text: 'Hello!' })));
    onTestFinished(() => own.close());
    const [{ key } = { key: '' }] = world.owners;
    const owner: Owner = { name: 'the caller', key, headers, secret: 'sk-of-the-caller' };
    const lines = { 'x-gw-custom-host': own.origin, 'x-gw-forward-headers': 'x-team', 'x-team': 'a' };
    for (const operation of dialectOperations.slice(0, 1)) {
      expect(await world.send(operation, owner, lines)).toMatchObject({ status: 200 });
      expect(own.requests.at(-1)?.header('authorization')).toBe('Bearer sk-of-the-caller');
      expect(own.requests.at(-1)?.header('x-team')).toBe('a');
    }
  });
});
