import { describe, expect, it } from 'vitest';
import { NotSentError } from '../../../../../plugins/control/metering/counters/remote-counters.ts';
import { limitsContract } from './support/limits-contract.ts';
import { ownedWorld } from './support/owned-world.ts';
import { writeNote } from './support/redis-world.ts';
import { lasting, oneRequest, tokens } from './support/sample-charges.ts';

describe('counters of the process that owns workers', () => {
  limitsContract(ownedWorld);

  it('are shared by all workers', async () => {
    await using world = await ownedWorld();
    const workers = [world.limits, world.open().limits, world.open().limits];
    const asked = workers.flatMap((limits, which) =>
      Array.from({ length: 20 }, (_, index) => limits.reserve(`${which}-${index}`, [oneRequest], lasting)),
    );
    expect((await Promise.all(asked)).filter(({ kind }) => kind === 'granted')).toHaveLength(2);
  });

  it('immediately charge the reservations of a killed worker as they were made, and no others', async () => {
    await using world = await ownedWorld();
    const worker = world.open();
    await worker.limits.reserve('killed', [tokens(30)], { ttlMs: 600_000, entry: { note: 'estimate' } });
    await world.limits.reserve('other', [tokens(20)], lasting);
    worker.kill();
    expect(await world.limits.read([tokens(0)])).toMatchObject([{ used: 30, reserved: 20 }]);
    expect([...(await world.ledger())]).toEqual([['killed', expect.objectContaining({ entry: { note: 'estimate' } })]]);
  });

  it('are unavailable in time if their process hangs, and keep no reservation that was answered too late', async () => {
    await using world = await ownedWorld();
    const hangs = Promise.withResolvers<void>();
    const said: string[] = [];
    const inner = world.open();
    const { limits } = world.open({
      commandMs: 50,
      say: (text) => said.push(text),
      counters: {
        ...inner.counters,
        run: async (question, args) => {
          await hangs.promise;
          return inner.counters.run(question, args);
        },
      },
    });
    const asked = ['a', 'b', 'c'].map((id) => limits.reserve(id, [tokens(7)], lasting));
    expect((await Promise.all(asked)).map(({ kind }) => kind)).toEqual(['unavailable', 'unavailable', 'unavailable']);
    // One of the attempts was sent nevertheless, as its policy allows.
    limits.settle('a', [tokens(5)], { note: 'allowed' });
    hangs.resolve();
    await expect.poll(() => world.limits.read([tokens(0)])).toMatchObject([{ used: 5, reserved: 0 }]);
    expect([...(await world.ledger()).keys()]).toEqual(['a']);
    expect((await limits.reserve('d', [tokens(7)], lasting)).kind).toBe('granted');
    expect(said).toEqual([
      'gw: The process that owns the workers, and counts for them, cannot be used (There was no result within 50 ms.). Start the gateway again if that lasts; until then, limits of keys and others let requests through, and count them afterwards, unless a policy has "if_unknown": "refuse".\n',
      'gw: The process that owns the workers, and counts for them, answers again.\n',
    ]);
  });

  it('correct an expired reservation if it is settled by a process that never received its answer', async () => {
    await using world = await ownedWorld();
    const { counters } = world.open();
    const { reserveDecision, sentDecisions, settleDecision } = await import(
      '../../../../../plugins/control/metering/counters/decision-texts.ts'
    );
    const decide = (...decisions: Parameters<typeof sentDecisions>[0]) =>
      counters.run('decide', sentDecisions(decisions));
    await decide(reserveDecision('late', [tokens(7)], { ttlMs: 250, entry: writeNote({ note: 'estimate' }) }));
    world.clock.advance(1000);
    await decide(settleDecision('late', [tokens(3)], { epoch: '', entry: writeNote({ note: 'used' }) }));
    expect(await world.limits.read([tokens(0)])).toMatchObject([{ used: 3, reserved: 0 }]);
    expect([...(await world.ledger()).keys()]).toEqual(['late', 'late~corrected']);
  });

  it('charge late usage only after it is in the ledger', async () => {
    await using world = await ownedWorld();
    const charged = await world.limits.charge('batch', [tokens(40)], { note: 'batch' });
    expect(charged.posted).toMatchObject([{ policy: 'hundred-a-month', bucket: 'all', amount: 40 }]);
    expect(await world.limits.read([tokens(0)])).toMatchObject([{ used: 0 }]);
    charged.onStored();
    expect(await world.limits.read([tokens(0)])).toMatchObject([{ used: 40 }]);
    expect((await world.ledger()).size).toBe(0);
  });

  it('are unavailable if their process has ended', async () => {
    await using world = await ownedWorld();
    const gone = {
      posted: async () => {},
      run: async () => {
        throw new NotSentError('The other process has ended.');
      },
    };
    const { limits } = world.open({ counters: gone });
    expect((await limits.reserve('a', [tokens(1)], lasting)).kind).toBe('unavailable');
    await expect(limits.read([tokens(0)])).rejects.toThrow('cannot be used (The other process has ended.). Try again.');
    limits.settle('a', [tokens(1)], { note: 'a' });
    await limits.close();
  });
});
