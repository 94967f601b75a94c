import { expect, vi } from 'vitest';
import { patience } from '../../../../support/run/patience.ts';
import { type Answering, type CountedCall, type Script, word } from './counting-provider.ts';
import { type Row, reported, unfinished } from './expected-rows.ts';
import { givenUse, toUse } from './given-use.ts';
import {
  type Answer,
  type Asking,
  askedBytes,
  maxTokens,
  serveTraffic,
  type Traffic,
  type TrafficOptions,
  timeoutMs,
  toName,
} from './traffic-gateway.ts';

/** How often the gateway is ended, alternately with SIGKILL and SIGTERM: KILLS=20 for a thorough run. */
const kills = Number(process.env.KILLS ?? 2);

/** Whether to wait until a Redis charges the calls that were under way, which takes longer than everything else. */
const isThorough = process.env.KILLS !== undefined;

/** Milliseconds for all of them, also on a busy machine. */
export const killsMs: number = 120_000 + kills * 20_000 + 4 * timeoutMs;

/** The end of a provider's call. `open`: it is under way when the gateway ends. */
type Ending = 'reported' | 'unfinished' | 'open';

/** A request that is in this state when the gateway ends. */
export interface Scene extends Pick<Asking, 'config' | 'stream'> {
  readonly name: string;
  readonly calls: Readonly<Record<string, Answering & { readonly as: Ending }>>;
  /** The words that its client has received by then. */
  readonly words: number;
  /** The words of the first target that the second one continues. */
  readonly goesOnWith?: number;
}

interface Played {
  readonly answer: Answer;
  isReady(): boolean;
  /** The rows of calls that end in these ways. */
  rows(...endings: readonly Ending[]): readonly Row[];
  /** The rows of calls that were under way if their reservations are charged, with the most tokens that they may contain. */
  reserved(): readonly Pick<Row, 'ticket' | 'slug' | 'output'>[];
  /** Compares the usage that its client received with these rows, if all of its calls have ended. */
  expectGiven(): Promise<void>;
}

const play = (
  traffic: Traffic,
  { name, calls, words, goesOnWith = 0, ...asking }: Scene,
  key: Asking['key'],
): Played => {
  const script: Script = { ticket: name, answers: calls };
  const answer = traffic.ask(script, { ...asking, key });
  const made = (): readonly CountedCall[] =>
    [traffic.claude, traffic.gpt].flatMap((provider) => provider.calls.filter(({ ticket }) => ticket === name));
  const ended = (...endings: readonly Ending[]): readonly CountedCall[] =>
    made().filter(({ slug }) => endings.includes(calls[slug]?.as ?? 'open'));
  /** The bytes of the first target's text, which the second target continues. */
  const saidBefore = ({ slug }: CountedCall): number => (slug === Object.keys(calls)[0] ? 0 : goesOnWith * word.length);
  const rows: Played['rows'] = (...endings) =>
    ended(...endings).map((call) =>
      calls[call.slug]?.as === 'reported' ? reported(call) : unfinished(call, askedBytes(script) + saidBefore(call)),
    );
  return {
    ...{ answer, rows },
    reserved: () =>
      ended('open').map((call) => ({
        ...{ ticket: name, slug: call.slug, output: maxTokens - Math.ceil(saidBefore(call) / 4) },
      })),
    isReady: () =>
      made().length === Object.keys(calls).length && answer.text.split(JSON.stringify(word)).length > words,
    async expectGiven() {
      if (Object.values(calls).some(({ as }) => as === 'open')) return;
      await answer.ended;
      expect(givenUse(answer)).toEqual(toUse(...(goesOnWith > 0 ? rows('reported', 'unfinished') : rows('reported'))));
    },
  };
};

/**
 * Brings requests into these states, ends the gateway and starts it again, several times. What had ended before is in its ledger,
 * its limits and its `usage`, once each. What was under way is charged as far as it came after SIGTERM. After SIGKILL it is lost,
 * unless the limits are in a Redis, which charges the reservations when they expire.
 */
export const killedInTurn = async (scenes: readonly Scene[], options: TrafficOptions = {}): Promise<void> => {
  const traffic = await serveTraffic(options);
  const expected: Row[] = [];
  const late: Pick<Row, 'ticket' | 'slug' | 'output'>[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const signal = kill % 2 === 0 ? 'SIGKILL' : 'SIGTERM';
    const played = scenes.map((scene, at) =>
      play(traffic, { ...scene, name: `${scene.name} ${kill}` }, traffic.keys[at % 2 === 0 ? 0 : 1]),
    );
    await vi.waitFor(() => expect(played.filter((each) => !each.isReady())).toEqual([]), patience);
    const settled = (): readonly Row[] => played.flatMap((each) => each.rows('reported', 'unfinished'));
    // The cancelled calls have been settled, with everything before them.
    await traffic.expectRows([...expected, ...settled()], late);
    expected.push(...settled());
    for (const each of played) await each.expectGiven();
    await traffic.restart(signal);
    await Promise.all(played.map(({ answer }) => answer.ended));
    if (signal === 'SIGTERM') expected.push(...played.flatMap((each) => each.rows('open')));
    else if (options.redis !== undefined) late.push(...played.flatMap((each) => each.reserved()));
    await traffic.expectRows(expected, late);
  }
  if (!isThorough || late.length === 0) return;
  const names = new Set(late.map(toName));
  await vi.waitFor(
    () => {
      const rows = traffic.rows().filter((row) => names.has(toName(row)));
      expect(rows).toHaveLength(late.length);
      for (const row of late) expect(rows).toContainEqual(expect.objectContaining({ ...row, kind: 'estimated' }));
    },
    { timeout: 3 * timeoutMs, interval: 1000 },
  );
  await vi.waitFor(() => traffic.expectBalance(), patience);
};
