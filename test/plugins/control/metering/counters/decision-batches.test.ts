import { describe, expect, it } from 'vitest';
import { DecisionBatches } from '../../../../../plugins/control/metering/counters/decision-batches.ts';
import { type Decision, releaseDecision } from '../../../../../plugins/control/metering/counters/decision-texts.ts';
import { createVirtualClock } from '../../../../../plugins/testkit/route/virtual-clock.ts';

/** Lets the callbacks of the current and the next turns of the event loop run. */
const nextTurns = async (): Promise<void> => {
  for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve));
};

const commandMs = 100;

/** Starts batches whose scripts are answered by the test. */
const startBatches = () => {
  const clock = createVirtualClock();
  const sent: { readonly ids: readonly string[]; readonly answer: () => void }[] = [];
  const ended: string[] = [];
  const batches = new DecisionBatches({
    clock,
    commandMs,
    availability: { succeeded: () => {}, looked: () => {}, failed: () => {}, upkeepFailed: () => {} },
    runner: {
      run: (_question, [decisions = '']) =>
        new Promise((resolve) => {
          const ids = [...decisions.matchAll(/"id-(\w+)"/g)].map(([, id = '']) => id);
          sent.push({ ids, answer: () => resolve(['decided', 'epoch', ids.map((id) => `done ${id}`).join('\n')]) });
        }),
    },
  });
  const askFor = (id: string, decision: Decision, isUrgent = true): void =>
    batches.ask({
      decision,
      isUrgent,
      answered: (text) => ended.push(text),
      failed: () => ended.push(`failed ${id}`),
    });
  return {
    clock,
    batches,
    ended,
    /** The ids of the decisions in each script so far. */
    scripts: () => sent.map(({ ids }) => ids.join('')),
    answer: async (index: number) => {
      sent[index]?.answer();
      await nextTurns();
    },
    ask: (ids: string, isUrgent = true) => {
      for (const id of ids) askFor(id, releaseDecision(`id-${id}`, ''), isUrgent);
    },
    /** Requests urgent decisions with entries of the given lengths. */
    askOf: (lengths: Readonly<Record<string, number>>) => {
      for (const [id, length] of Object.entries(lengths)) {
        const entry = { own: 'x'.repeat(length - 1), shared: 'x' };
        askFor(id, { ...releaseDecision(`id-${id}`, ''), entry });
      }
    },
  };
};

describe('decisions on limits', () => {
  it('are sent together if they are requested in the same turn', async () => {
    const { ask, scripts, answer, ended } = startBatches();
    ask('ab');
    await nextTurns();
    expect(scripts()).toEqual(['ab']);
    await answer(0);
    expect(ended).toEqual(['done a', 'done b']);
    ask('c');
    await nextTurns();
    expect(scripts()).toEqual(['ab', 'c']);
  });

  it('accumulate while a script is in progress, and are sent when it is answered', async () => {
    const { ask, scripts, answer, ended } = startBatches();
    ask('a');
    await nextTurns();
    ask('b');
    await nextTurns();
    ask('c');
    ask('d', false);
    await nextTurns();
    expect(scripts()).toEqual(['a']);
    await answer(0);
    expect(scripts()).toEqual(['a', 'bcd']);
    await answer(1);
    expect(ended).toEqual(['done a', 'done b', 'done c', 'done d']);
  });

  it('wait at most 2 ms for the answer to an earlier script', async () => {
    const { ask, scripts, clock, answer, ended } = startBatches();
    ask('a');
    await nextTurns();
    ask('b');
    clock.advance(1);
    await nextTurns();
    ask('c');
    await nextTurns();
    expect(scripts()).toEqual(['a']);
    clock.advance(1);
    await nextTurns();
    expect(scripts()).toEqual(['a', 'bc']);
    // They have their own time-out. That of the first decision ends earlier.
    clock.advance(commandMs - 2);
    await nextTurns();
    expect(ended).toEqual(['failed a']);
    await answer(1);
    expect(ended).toEqual(['failed a', 'done b', 'done c']);
  });

  it('are divided among scripts of at most 64 each, in order', async () => {
    const { ask, scripts, answer, ended } = startBatches();
    const ids = 'abcdefghijklmnopqrstuvwxyz'.repeat(5);
    ask(ids);
    await nextTurns();
    expect(scripts()).toEqual([ids.slice(0, 64), ids.slice(64, 128), ids.slice(128)]);
    for (const index of [0, 1, 2]) await answer(index);
    expect(ended).toEqual([...ids].map((id) => `done ${id}`));
  });

  it('are divided among scripts of at most 256 KiB each, except for one that is larger by itself', async () => {
    const { askOf, scripts } = startBatches();
    const kib = 1024;
    askOf({ a: 100 * kib, b: 150 * kib, c: 7 * kib, d: 300 * kib, e: 1 });
    await nextTurns();
    expect(scripts()).toEqual(['ab', 'c', 'd', 'e']);
  });

  it('are not sent when a script is answered if none of them is urgent', async () => {
    const { ask, scripts, clock, answer } = startBatches();
    ask('a');
    await nextTurns();
    ask('b', false);
    await answer(0);
    expect(scripts()).toEqual(['a']);
    clock.advance(5);
    await nextTurns();
    expect(scripts()).toEqual(['a', 'b']);
  });
});
