import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, vi } from 'vitest';
import { temporaryFolder } from '../../../../support/commands/temporary-folder.ts';
import type { GatewayProcess } from '../../../../support/gateways/gateway-process.ts';
import { control, makeKey, type NewKey, serveStore } from '../../../../support/gateways/stored-gateway.ts';
import { patience } from '../../../../support/run/patience.ts';
import { makePolicy, readUsed } from '../../../limits/support/limited-gateway.ts';
import { type CountingProvider, countingProvider, type Script } from './counting-provider.ts';
import { priceTable, type Row } from './expected-rows.ts';

/** The time-out of requests. A reservation in a Redis is charged half a minute after it. */
export const timeoutMs = 60_000;

/** The token limit of an answer. */
export const maxTokens = 100;

const model = 'priced';
const role = 'user';

/** The bytes of the texts of a request. */
export const askedBytes = (script: Script): number =>
  Buffer.byteLength(model) + Buffer.byteLength(role) + Buffer.byteLength(JSON.stringify(script));

export interface TrafficOptions {
  /** The Redis of its limits. If absent, they are in memory. */
  readonly redis?: string | undefined;
  /** More members of the gateway file. */
  readonly file?: object;
}

export interface Asking {
  readonly key: NewKey;
  readonly config: object;
  readonly stream?: boolean;
}

/** A row of the ledger, with the id of its key. */
export interface KeptRow extends Row {
  readonly keyId: string;
}

/** An answer, as far as its client has received it. */
export interface Answer {
  readonly text: string;
  /** Resolves when the answer or the gateway has ended. */
  readonly ended: Promise<void>;
}

export interface Traffic {
  /** The gateway that is running now. */
  readonly gateway: GatewayProcess;
  /** Two callers with separate limits. */
  readonly keys: readonly [NewKey, NewKey];
  readonly claude: CountingProvider;
  readonly gpt: CountingProvider;
  readonly copies: CountingProvider;
  ask(script: Script, asking: Asking): Answer;
  /** Ends the gateway, and starts another one with its store. */
  restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** The rows of the ledger. */
  rows(): readonly KeptRow[];
  /** Waits until the ledger has exactly these rows, apart from the late ones, and checks that limits and `usage` match it. */
  expectRows(expected: readonly Row[], late: readonly Pick<Row, 'ticket' | 'slug'>[]): Promise<void>;
  /** Checks that limits and `usage` match the ledger. */
  expectBalance(): Promise<void>;
}

const targets = { claude: { provider: '@claude' }, gpt: { provider: '@gpt' }, copies: { provider: '@copies' } };

/** The second target is called after a moment. Each request may have its second call. */
const hedge = { after_ms: 50, budget_percent: 100 };

/** Holds back as much of a stream as the length of this text. */
const judging = {
  output_guardrails: [{ 'default.contains': { operator: 'none', words: ['forbidden '.repeat(20)] }, deny: true }],
};

export const plain: object = targets.gpt;

/** The same requests, all mirrored to `@copies`. */
export const mirrored = (config: object): object => ({ ...config, mirror: { target: targets.copies, percent: 100 } });

/** Calls `@claude`, and `@gpt` as the hedge. */
export const hedged: object = { strategy: { mode: 'fallback', hedge }, targets: [targets.claude, targets.gpt] };

/** The same, but a short stream of `@claude` counts as an answer only when all of it has arrived. */
export const heldBack: object = {
  strategy: { mode: 'fallback', hedge },
  targets: [{ ...targets.claude, ...judging }, targets.gpt],
};

/** Calls `@claude`, and `@gpt` for the rest. */
export const continued: object = {
  strategy: { mode: 'fallback', continue: true },
  targets: [targets.claude, targets.gpt],
};

/** Calls `@claude`, and `@gpt` as the hedge or for the rest. */
export const hedgedAndContinued: object = {
  strategy: { mode: 'fallback', hedge, continue: true },
  targets: [targets.claude, targets.gpt],
};

/** Calls `@gpt`, and `@claude` for the rest. */
export const continuedByClaude: object = {
  strategy: { mode: 'fallback', continue: true },
  targets: [targets.gpt, targets.claude],
};

/** The name of a call: its request and its target. */
export const toName = ({ ticket, slug }: Pick<Row, 'ticket' | 'slug'>): string => `${ticket} ${slug}`;

const toOrder = ({ ticket, slug, kind, input, output }: Row): string => [ticket, slug, kind, input, output].join(' ');

const inOrder = (rows: readonly Row[]): readonly Row[] =>
  rows
    .map(({ ticket, slug, kind, input, output, nanoUsd }) => ({ ticket, slug, kind, input, output, nanoUsd }))
    .toSorted((one, other) => toOrder(one).localeCompare(toOrder(other)));

const toSum = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

/** A gateway with a store, budgets of tokens and of cost for each key, and three providers that count. */
export const serveTraffic = async ({ redis, file = {} }: TrafficOptions = {}): Promise<Traffic> => {
  const folder = temporaryFolder();
  const store = { url: 'gateway.db', ...(redis === undefined ? {} : { limits: { url: redis } }) };
  const files = { 'gateway.json': { prices: priceTable, store, limits: { drain_ms: 200 }, ...file } };
  const serve = (): Promise<GatewayProcess> => serveStore('gateway.db', { folder, files });
  const hasGot = (slug: string, ticket: string): boolean =>
    [claude, gpt, copies].some((each) => each.slug === slug && each.calls.some((call) => call.ticket === ticket));
  const [claude, gpt, copies] = await Promise.all([
    countingProvider('claude', 'anthropic', hasGot),
    countingProvider('gpt', 'openai', hasGot),
    countingProvider('copies', 'openai', hasGot),
  ]);
  let gateway = await serve();
  for (const { slug, wire, upstream } of [claude, gpt, copies])
    await control(gateway, 'POST /providers', {
      body: {
        ...{ name: slug, slug, provider: wire, credential: { api_key: 'sk' } },
        settings: { custom_host: `${upstream.origin}/v1` },
      },
    });
  const keys = [await makeKey(gateway, 'one'), await makeKey(gateway, 'other')] as const;
  const budget = (body: object): Promise<string> =>
    makePolicy(gateway, 'usage-limits', { ...body, group_by: [{ key: 'api_key' }] });
  const tokens = await budget({ type: 'tokens', credit_limit: 100_000_000 });
  const cost = await budget({ type: 'cost', credit_limit: 1000 });

  const rows = (): readonly KeptRow[] => {
    using db = new DatabaseSync(path.join(folder, 'gateway.db'), { readOnly: true, timeout: 5000 });
    return db
      .prepare(
        `select metadata ->> 'ticket' as ticket, slug, kind, input_tokens as input, output_tokens as output,
          coalesce(nano_usd, 0) as nanoUsd, key_id as keyId from ledger where attempts = 1`,
      )
      .all()
      .map((row) => ({ ...row })) as never;
  };

  const expectBalance = async (): Promise<void> => {
    const all = rows();
    const { summary } = await control(gateway, 'GET /usage');
    const ofKind = (kind: Row['kind']): number => all.filter((row) => row.kind === kind).length;
    expect(summary).toMatchObject({
      attempts: all.length,
      input_tokens: toSum(all.map(({ input }) => input)),
      output_tokens: toSum(all.map(({ output }) => output)),
      nano_usd: String(toSum(all.map(({ nanoUsd }) => nanoUsd))),
      ...{ reported: ofKind('reported'), partial: ofKind('partial') },
      ...{ estimated: ofKind('estimated'), none: ofKind('none'), unpriced: 0 },
    });
    const [usedTokens, usedCost] = await Promise.all([readUsed(gateway, tokens), readUsed(gateway, cost)]);
    for (const { id } of keys) {
      const own = all.filter(({ keyId }) => keyId === id);
      expect(usedTokens[`api_key:${id}`] ?? 0).toBe(toSum(own.map(({ input, output }) => input + output)));
      expect(usedCost[`api_key:${id}`] ?? 0).toBeCloseTo(toSum(own.map(({ nanoUsd }) => nanoUsd)) / 1e9, 9);
    }
  };

  return {
    get gateway() {
      return gateway;
    },
    ...{ keys, claude, gpt, copies, rows, expectBalance },
    ask(script, { key, config, stream = false }) {
      let text = '';
      const read = async (): Promise<void> => {
        const answer = await fetch(`${gateway.baseUrl}/chat/completions`, {
          method: 'POST',
          headers: {
            ...{ 'content-type': 'application/json', 'x-gw-api-key': key.key },
            ...{ 'x-gw-config': JSON.stringify(config), 'x-gw-request-timeout': String(timeoutMs) },
            // Copies for mirrors have the labels of their request, but a trace of their own.
            'x-gw-metadata': JSON.stringify({ ticket: script.ticket }),
          },
          body: JSON.stringify({
            ...{ model, max_tokens: maxTokens, messages: [{ role, content: JSON.stringify(script) }] },
            ...(stream ? { stream, stream_options: { include_usage: true } } : {}),
          }),
        });
        const decoder = new TextDecoder();
        for await (const chunk of answer.body ?? []) text += decoder.decode(chunk, { stream: true });
      };
      return {
        get text() {
          return text;
        },
        // The gateway may end before its answer.
        ended: read().catch(() => {}),
      };
    },
    async restart(signal) {
      gateway.signal(signal);
      const code = await gateway.exited;
      if (signal === 'SIGTERM') expect(code).toBe(0);
      gateway = await serve();
    },
    async expectRows(expected, late) {
      const lateNames = new Set(late.map(toName));
      await vi.waitFor(() => {
        const timely = rows().filter((row) => !lateNames.has(toName(row)));
        expect(inOrder(timely)).toEqual(inOrder(expected));
      }, patience);
      await vi.waitFor(expectBalance, patience);
    },
  };
};
