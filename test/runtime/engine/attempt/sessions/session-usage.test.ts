import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Reservation } from '../../../../../plugins/sdk/control-plane/limiter.ts';
import { SessionUsage } from '../../../../../runtime/engine/attempt/sessions/session-usage.ts';
import type { Turn } from '../../../../../runtime/engine/attempt-usage/attempt-usage.ts';
import { toUsageRecord, type UsageRecord } from '../../../../../schema/usage/usage-record.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';

const price = ({ usage }: Turn): UsageRecord => ({
  ...toUsageRecord(usage, { kind: 'reported', model: 'm' }),
  cost: { nanoUsd: usage.input, prices: 'own' },
});

const turn = (input: number): Turn => ({ usage: { input, output: 1 }, isWhole: true, model: 'm' });

/** Reservations that record how they ended. */
class Ledger {
  readonly settled: UsageRecord[] = [];
  open = 0;
  mistakes = 0;

  reserve(): Reservation {
    this.open += 1;
    let isOpen = true;
    const end = (): void => {
      if (!isOpen) this.mistakes += 1;
      isOpen = false;
      this.open -= 1;
    };
    return {
      settle: (usage) => {
        end();
        this.settled.push(usage);
      },
      release: end,
    };
  }
}

/** A turn ends, or the oldest question to the limits that was not answered yet is granted or refused. */
const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('turn' as const), input: fc.integer({ min: 1, max: 1000 }) }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('grant' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('refuse' as const) }) },
  ),
  { maxLength: 30 },
);

describe('the usage of a session', () => {
  it('is settled once for each turn, whenever limits answer, and no reservation stays open', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.boolean(), async (all, isSynchronous) => {
        const ledger = new Ledger();
        const asked: PromiseWithResolvers<Reservation>[] = [];
        let refusals = 0;
        const session = new SessionUsage({
          model: 'm',
          held: ledger.reserve(),
          reserve: () => {
            if (isSynchronous) return ledger.reserve();
            const question = Promise.withResolvers<Reservation>();
            asked.push(question);
            return question.promise;
          },
          price,
          onRefused: () => {
            refusals += 1;
          },
        });
        let input = 0;
        for (const step of all) {
          if (step.kind === 'turn') {
            input += step.input;
            session.add(turn(step.input));
          } else if (step.kind === 'grant') asked.shift()?.resolve(ledger.reserve());
          else asked.shift()?.reject(new Error('reached'));
          await new Promise(setImmediate);
        }
        const whole = session.end();
        for (const question of asked.splice(0)) question.resolve(ledger.reserve());
        // The limits may answer after the session has ended.
        await new Promise(setImmediate);
        expect(whole.input.total).toBe(input);
        expect(ledger.settled.reduce((sum, { input: used }) => sum + used.total, 0)).toBe(input);
        expect(ledger.settled.reduce((sum, { cost }) => sum + (cost?.nanoUsd ?? 0), 0)).toBe(input);
        expect([ledger.mistakes, ledger.open]).toEqual([0, 0]);
        expect(refusals).toBeLessThanOrEqual(1);
      }),
      lawRuns,
    );
  });

  it('is settled soon if turns end while limits are asked', async () => {
    const ledger = new Ledger();
    const asked: PromiseWithResolvers<Reservation>[] = [];
    const session = new SessionUsage({
      ...{ model: 'm', held: ledger.reserve(), price, onRefused: () => expect.unreachable() },
      reserve: () => {
        const question = Promise.withResolvers<Reservation>();
        asked.push(question);
        return question.promise;
      },
    });
    const grant = async (): Promise<void> => {
      asked.shift()?.resolve(ledger.reserve());
      await new Promise(setImmediate);
    };
    session.add(turn(1));
    await grant();
    session.add(turn(2));
    await grant();
    await grant();
    expect(ledger.settled).toMatchObject([{ input: { total: 1 } }, { input: { total: 2 } }]);
    session.end();
  });

  it('is nothing, and counts as a request, if no model has answered', () => {
    const ledger = new Ledger();
    const session = new SessionUsage({
      ...{ model: 'm', held: ledger.reserve(), price, onRefused: () => expect.unreachable() },
      reserve: () => expect.unreachable(),
    });
    expect(session.end()).toMatchObject({ kind: 'none', model: 'm', input: { total: 0 } });
    expect(ledger.settled).toMatchObject([{ kind: 'none' }]);
    expect(ledger.open).toBe(0);
  });

  it('ends the session if limits refuse the next turn, and covers the turns that end after that', async () => {
    const ledger = new Ledger();
    const refused: unknown[] = [];
    const error = new Error('reached');
    const session = new SessionUsage({
      ...{ model: 'm', held: ledger.reserve(), price, onRefused: (why) => refused.push(why) },
      reserve: () => {
        throw error;
      },
    });
    session.add(turn(1));
    session.add(turn(2));
    expect(refused).toEqual([]);
    await new Promise(setImmediate);
    session.end();
    expect(refused).toEqual([error]);
    expect(ledger.settled).toMatchObject([{ input: { total: 3 }, cost: { nanoUsd: 3 } }]);
    expect(ledger.open).toBe(0);
  });
});
