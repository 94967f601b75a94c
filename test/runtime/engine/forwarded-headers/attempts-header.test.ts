import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attemptsText } from '../../../../runtime/engine/forwarded-headers/attempts-header.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import type { TrailEvent } from '../../../../schema/trail/trail.ts';

const path = toPointer(['targets', 1]);
const attempted = { kind: 'attempted', path, target: 'a', attempt: 1, status: 200, origin: 'upstream' } as const;

/** A member of this List as defined by RFC 9651, with its parameters in the order in which the gateway writes them. */
const member = /^"config(?:\.targets\[\d+\])*";status=\d+(?:;error=[a-z-]+)?(?:;ms=\d{1,12}\.\d\d)?$/;

const event = fc.oneof(
  fc
    .tuple(
      fc.array(fc.nat(99), { maxLength: 12 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 100, max: 599 }),
      fc.constantFrom('connection-failed' as const, 'request-timeout' as const, undefined),
      fc.double({ min: 0, max: 1e6, noNaN: true }),
    )
    .map(
      ([places, attempt, status, cause, sent]): TrailEvent => ({
        ...{ kind: 'attempted', target: 'a "quoted" näme\n', attempt, status, origin: 'network', ms: { sent } },
        path: toPointer(places.flatMap((place) => ['targets', place])),
        ...(cause === undefined ? {} : { cause }),
      }),
    ),
  fc.constant<TrailEvent>({ kind: 'retried', path, retry: 1, waitMs: 5 }),
);

describe('the list of attempts', () => {
  it('contains each attempt with its place, its status and its duration', () => {
    const trail: readonly TrailEvent[] = [
      { ...attempted, status: 502, origin: 'network', cause: 'connection-failed', ms: { sent: 1.25 } },
      {
        ...{ kind: 'settled', path, target: 'a', attempt: 1, ms: { end: 4.5 } },
        usage: { kind: 'none', model: '', input: { total: 0 }, output: { total: 0 } },
      },
      { kind: 'retried', path, retry: 1, waitMs: 500 },
      { ...attempted, attempt: 2, ms: { sent: 504.5, head: 600 } },
    ];
    expect(attemptsText(trail, 700)).toBe(
      '"config.targets[1]";status=502;error=connection-failed;ms=3.25, "config.targets[1]";status=200;ms=195.50',
    );
    expect(attemptsText([attempted], 700)).toBe('"config.targets[1]";status=200');
  });

  it('is absent if there was no attempt', () => {
    expect(attemptsText([], 1)).toBeUndefined();
    expect(attemptsText([{ kind: 'clientLeft' }], 1)).toBeUndefined();
  });

  it('is at most 1 KB long, follows its RFC, and counts the attempts that it omits', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120 }), (trail) => {
        const text = attemptsText(trail, 1e6) ?? '';
        expect(text.length).toBeLessThanOrEqual(1024);
        const members = text === '' ? [] : text.split(', ');
        const last = members.at(-1) ?? '';
        const left = /^more;count=([1-9]\d*)$/.exec(last)?.[1];
        const written = left === undefined ? members : members.slice(0, -1);
        for (const each of written) expect(each).toMatch(member);
        const made = trail.filter(({ kind }) => kind === 'attempted').length;
        expect(written.length + Number(left ?? 0)).toBe(made);
      }),
    );
  });
});
