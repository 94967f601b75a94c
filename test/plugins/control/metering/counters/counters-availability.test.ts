import { describe, expect, it } from 'vitest';
import { CountersAvailability } from '../../../../../plugins/control/metering/counters/counters-availability.ts';
import { createVirtualClock } from '../../../../../plugins/testkit/route/virtual-clock.ts';

const create = ({ hasUpkeep = true } = {}) => {
  const clock = createVirtualClock();
  clock.advance(100_000);
  const said: string[] = [];
  const availability = new CountersAvailability({
    clock,
    say: (text) => said.push(text.replace(/^gw: The place (.*)\n$/, '$1')),
    hasUpkeep,
    place: {
      name: 'the place',
      advice: 'Mend it',
      remedy: (error) => (error === 'unknown' ? undefined : `Mend ${error}`),
      describe: String,
    },
  });
  return {
    availability,
    clock,
    /** Returns what was said since the last call. */
    said: () => said.splice(0).map((text) => text.replace(/; until then.*/, '')),
    times: (count: number, call: () => void) => {
      for (let at = 0; at < count; at += 1) {
        call();
        clock.advance(100);
      }
    },
  };
};

describe('the availability of counters', () => {
  it('is reported once for each reason, and once when it is over', () => {
    const { availability, said, times } = create();
    times(3, () => availability.failed('a'));
    times(3, () => availability.failed('b'));
    times(3, () => availability.failed('a'));
    expect(said()).toEqual(['cannot be used (a). Mend a', 'cannot be used (b). Mend b']);
    expect(availability.isUnavailable()).toBe(true);
    times(3, () => availability.succeeded());
    expect(said()).toEqual(['answers again.']);
    expect(availability.isUnavailable()).toBe(false);
  });

  it('is reported without a known reason only if none was reported before', () => {
    const { availability, said, times } = create();
    for (const reason of ['unknown', 'a', 'unknown', 'b']) times(2, () => availability.failed(reason));
    expect(said()).toEqual([
      'cannot be used (unknown). Mend it',
      'cannot be used (a). Mend a',
      'cannot be used (b). Mend b',
    ]);
    availability.succeeded();
    said();
    for (const reason of ['a', 'unknown']) times(60, () => availability.failed(reason));
    expect(said()).toEqual(['cannot be used (a). Mend a']);
  });

  it('is reported again within a minute if the reason is another one or the failure lasts', () => {
    const { availability, clock, said, times } = create();
    for (const reason of ['a', 'a', 'a', 'b']) {
      availability.failed(reason);
      availability.succeeded();
    }
    expect(said()).toEqual([
      'cannot be used (a). Mend a',
      'answers again.',
      'cannot be used (b). Mend b',
      'answers again.',
    ]);
    times(50, () => availability.failed('a'));
    expect(said()).toEqual([]);
    availability.failed('a');
    availability.succeeded();
    expect(said()).toEqual(['cannot be used (a). Mend a', 'answers again.']);
    clock.advance(60_000);
    availability.failed('a');
    expect(said()).toEqual(['cannot be used (a). Mend a']);
  });

  it('is reported in part while only settlements and postings fail, and pauses no decisions', () => {
    const { availability, said, times } = create();
    times(3, () => {
      availability.upkeepFailed('a');
      availability.succeeded();
    });
    expect(said()).toEqual(['does not accept what requests have used (a). Mend a']);
    expect([availability.isUnavailable(), availability.enter()]).toEqual([true, true]);
    availability.upkeepSucceeded();
    expect(said()).toEqual(['answers again.']);
    expect(availability.isUnavailable()).toBe(false);
  });

  it('remains while decisions fail and everything else succeeds, until no decision has failed for two seconds', () => {
    const { availability, clock, said, times } = create();
    times(10, () => {
      availability.failed('a');
      availability.upkeepSucceeded();
    });
    expect(said()).toEqual(['cannot be used (a). Mend a']);
    // One decision tries it at the end of each pause.
    expect([availability.isUnavailable(), availability.enter(), availability.enter()]).toEqual([true, true, false]);
    clock.advance(2000);
    availability.upkeepSucceeded();
    expect(said()).toEqual(['answers again.']);
    expect([availability.isUnavailable(), availability.enter()]).toEqual([false, true]);
  });

  it('remains if counters can be read and not changed', () => {
    const { availability, said, times } = create();
    times(3, () => {
      availability.failed('a');
      availability.looked();
      availability.upkeepSucceeded();
    });
    expect(availability.isUnavailable()).toBe(true);
    expect(said()).toEqual(['cannot be used (a). Mend a']);
  });

  it('depends on decisions alone if there is no other work', () => {
    const { availability, said, times } = create({ hasUpkeep: false });
    times(3, () => availability.upkeepFailed('a'));
    expect([availability.isUnavailable(), availability.enter()]).toEqual([true, false]);
    availability.looked();
    expect([availability.isUnavailable(), availability.enter()]).toEqual([false, true]);
    expect(said()).toEqual(['cannot be used (a). Mend a', 'answers again.']);
  });

  it('is back when everything else succeeds again that has failed with decisions', () => {
    const { availability, said, times } = create();
    times(3, () => {
      availability.failed('a');
      availability.upkeepFailed('a');
    });
    availability.upkeepSucceeded();
    expect(said()).toEqual(['cannot be used (a). Mend a', 'answers again.']);
    expect([availability.isUnavailable(), availability.enter()]).toEqual([false, true]);
  });
});
