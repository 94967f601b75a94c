import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtinDialects } from '../../plugins/dialects/builtin-dialects.ts';
import type { Dialect } from '../../plugins/sdk/dialect/dialect.ts';
import { toSubject } from '../fuzz/support/subject.ts';
import { isSampled } from '../support/run/sampled-pairs.ts';
import { clients } from './pairs/clients.ts';
import { modes } from './pairs/modes.ts';
import { type Bench, type Pair, runCase } from './pairs/run-case.ts';
import { startPairs } from './pairs/world.ts';
import { onlyCase, runs, pairSeed as seed } from './run/settings.ts';

let bench: Bench;
beforeAll(async () => {
  const subjects = new Map(builtinDialects.map((dialect) => [dialect, toSubject(dialect, seed)]));
  bench = { world: await startPairs(), subjects, seed };
}, 120_000);
afterAll(() => bench.world.close());

/**
 * Whether a provider of a dialect can answer the requests of another: in the same operation, or as a conversation. Forms are only
 * forwarded.
 */
const canAnswer = (provider: Dialect, client: Dialect): boolean => {
  if (client.conversationClient !== undefined && provider.conversation !== undefined) return true;
  const hasForms = [provider, client].some(({ routes = [] }) => routes.some((route) => route.hasForms));
  return hasForms ? provider === client : provider.operation === client.operation;
};

const served = (client: (typeof clients)[number]): readonly Pair[] =>
  builtinDialects
    .filter((dialect) => canAnswer(dialect, client.dialect))
    .flatMap((dialect) => modes.map((mode) => ({ client, dialect, mode })));

/** The number of cases that run at the same time. */
const width = 12;

const maxFound = 6;

describe.each(clients.map((client, at) => [client.name, client, at] as const))('a client of %s', (_, client, at) => {
  it('receives a valid answer or a documented error, whatever its provider answers', {
    timeout: 60_000 + runs * 20_000,
  }, async () => {
    const pairs = served(client);
    const cases = pairs
      .filter((_pair, pairAt) => isSampled(at, pairAt, 3))
      .flatMap((pair) =>
        Array.from({ length: runs }, (_each, number) => [pair, number * 10_000 + pairs.indexOf(pair)] as const),
      )
      .filter(([, number]) => onlyCase === undefined || number === onlyCase);
    const found: string[] = [];
    const work = async (): Promise<void> => {
      for (let next = cases.shift(); next !== undefined && found.length < maxFound; next = cases.shift()) {
        const fault = await runCase(bench, next[0], next[1]);
        if (fault !== undefined) found.push(fault);
      }
    };
    await Promise.all(Array.from({ length: width }, work));
    expect(found, `ANSWER_SEED=${seed} ANSWER_RUNS=${runs}\n\n${found.join('\n\n')}`).toHaveLength(0);
  });
});
