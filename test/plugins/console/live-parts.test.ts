import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  fromLocalField,
  readLabel,
  toFilters,
  toLabelChanges,
  toLocalField,
  toNanoUsd,
} from '../../../plugins/console/app/pages/live/filters.ts';
import type { LogRecord } from '../../../plugins/console/app/pages/live/log-record.ts';
import { maxShown, RecordRing } from '../../../plugins/console/app/pages/live/record-ring.ts';
import { hasRouteTest, toRouteTest, toRouteTestFile } from '../../../plugins/console/app/pages/request/route-test.ts';
import { layOutAttempts } from '../../../plugins/console/app/pages/request/waterfall.ts';
import type { Attempt, WholeRecord } from '../../../plugins/console/app/pages/request/whole-record.ts';

const record = (at: number): LogRecord => ({ id: String(at).padStart(6, '0') }) as LogRecord;
const range = (from: number, count: number): readonly LogRecord[] =>
  Array.from({ length: count }, (_, at) => record(from + at));
const ids = (ring: RecordRing): readonly number[] => ring.shown().records.map(({ id }) => Number(id));

describe('the ring of the live list', () => {
  it('keeps each record once, newest first, in whatever order they arrive', () => {
    const ring = new RecordRing();
    ring.add([record(2), record(1), record(2)]);
    ring.add([record(3), record(1)]);
    ring.add([record(0)]);
    expect(ids(ring)).toEqual([3, 2, 1, 0]);
  });

  it('has a limited size, and returns the same list if nothing is new', () => {
    const ring = new RecordRing();
    ring.add(range(0, 3 * maxShown));
    expect(ids(ring)).toHaveLength(maxShown);
    expect(ids(ring)[0]).toBe(3 * maxShown - 1);
    const { records } = ring.shown();
    ring.add(range(3 * maxShown - 5, 5));
    expect(ring.shown().records).toBe(records);
  });

  it('holds and counts records while it is paused, and shows them when it resumes', () => {
    const ring = new RecordRing();
    ring.add(range(0, 5));
    ring.pause();
    ring.add([...range(3, 4), record(6)]);
    expect([ring.isPaused, ids(ring), ring.shown().waiting, ring.shown().isMore]).toEqual([
      true,
      [4, 3, 2, 1, 0],
      2,
      false,
    ]);
    ring.add(range(10, 500));
    expect([ids(ring).length, ring.shown().waiting, ring.shown().isMore]).toEqual([5, 200, true]);
    ring.resume();
    expect([ring.isPaused, ids(ring)[0], ids(ring).length, ring.shown().waiting]).toEqual([false, 509, maxShown, 0]);
    expect(ring.shown().isMore).toBe(false);
  });
});

describe('filters in the address of the live list', () => {
  it('are those of the API and labels, without empty values and unknown names', () => {
    const query = new URLSearchParams('status=429&model=&metadata.team=a%3Db&before=x&__proto__=1&workspace=other');
    expect(toFilters(query)).toEqual({ status: '429', 'metadata.team': 'a=b' });
  });

  it('write a label as name and value, and replace the previous one', () => {
    const query = new URLSearchParams('metadata.team=a=b&status=200');
    expect(readLabel(query)).toBe('team=a=b');
    expect(readLabel(new URLSearchParams('status=200'))).toBe('');
    expect(toLabelChanges(query, ' tier = gold ')).toEqual({ 'metadata.team': undefined, 'metadata.tier': 'gold' });
    for (const wrong of ['nothing', '=red', 'team=', ' = ']) expect(toLabelChanges(query, wrong)).toBeUndefined();
    expect(toLabelChanges(query, '')).toEqual({ 'metadata.team': undefined });
  });

  it('replace the first of several labels and keep the others that a link names', () => {
    const query = new URLSearchParams('metadata.team=red&metadata.tier=gold');
    expect(toLabelChanges(query, 'team=blue')).toEqual({ 'metadata.team': 'blue' });
    expect(toLabelChanges(query, 'user=ada')).toEqual({ 'metadata.team': undefined, 'metadata.user': 'ada' });
    expect(toLabelChanges(query, '')).toEqual({ 'metadata.team': undefined });
  });

  it('read a time as they write it, in the viewer’s time zone, and ignore invalid times', () => {
    const seconds = String(Date.parse('2026-03-01T12:34:00Z') / 1000);
    expect(fromLocalField(toLocalField(seconds))).toBe(seconds);
    for (const wrong of ['', 'soon', '99999999999999999']) expect(toLocalField(wrong)).toBe('');
    for (const wrong of ['', 'soon']) expect(fromLocalField(wrong)).toBeUndefined();
  });

  it("convert US dollars to the API's unit", () => {
    expect(['0', '0.5', '1e-9', ' 2 '].map(toNanoUsd)).toEqual(['0', '500000000', '1', '2000000000']);
    expect(['', ' ', '-1', 'x', 'NaN'].map(toNanoUsd)).toEqual(Array.from({ length: 5 }, () => undefined));
  });
});

const attempt = (more: Partial<Attempt> = {}): Attempt => ({
  ...{ path: 'config', target: 'main', attempt: 1, status: 200, origin: 'upstream' },
  ...more,
});

describe('the waterfall of attempts', () => {
  it('lays attempts out over the duration of the request', () => {
    const bars = layOutAttempts(
      [
        attempt({ sent_ms: 0, first_byte_ms: 25, last_byte_ms: 50 }),
        attempt({ sent_ms: 50, first_byte_ms: 75, last_byte_ms: 100 }),
      ],
      100,
    );
    expect(bars).toEqual([
      { start: 0, head: 250, end: 500 },
      { start: 500, head: 750, end: 1000 },
    ]);
  });

  it.each<[string, Partial<Attempt>, number]>([
    ['no times', {}, 100],
    ['a request of 0 ms', { sent_ms: 0, first_byte_ms: 0, last_byte_ms: 0 }, 0],
    ['an attempt that outlasts the request', { sent_ms: 10, last_byte_ms: 500 }, 100],
    ['times out of order', { sent_ms: 90, first_byte_ms: 40, last_byte_ms: 20 }, 100],
    ['times before the request', { sent_ms: -20, first_byte_ms: -10, last_byte_ms: -5 }, 100],
    ['the last moment', { sent_ms: 100, first_byte_ms: 100, last_byte_ms: 100 }, 100],
  ])('keeps every bar visible and within the width: %s', (_, times, totalMs) => {
    const [bar] = layOutAttempts([attempt(times)], totalMs);
    if (bar === undefined) throw new Error('There is no bar.');
    expect(bar.start).toBeGreaterThanOrEqual(0);
    expect(bar.end).toBeLessThanOrEqual(1000);
    expect(bar.end - bar.start).toBeGreaterThanOrEqual(4);
    expect(bar.head).toBeGreaterThanOrEqual(bar.start);
    expect(bar.head).toBeLessThanOrEqual(bar.end);
  });
});

const hostile = '"\n- name: other\u202e#: {a} & *b \u0000';

const whole = (more: Partial<WholeRecord> = {}): WholeRecord =>
  ({
    ...{ config: 'app', model: 'm', requested_model: 'fast', metadata: {}, path: '/v1/chat/completions', status: 200 },
    ...{ trace_id: 't-1', attempts: [attempt()] },
    ...more,
  }) as WholeRecord;

describe('the route test of a request', () => {
  it('describes the request, the answers of the targets and the calls', () => {
    const test = toRouteTest(
      whole({
        stream: true,
        metadata: { team: 'red', _user: 'ann' },
        attempts: [
          attempt({ target: 'a', status: 429 }),
          attempt({ target: 'a', status: 408, origin: 'gateway' }),
          attempt({ target: 'b', origin: 'gateway', status: 502, cause: 'refused-connection' }),
          attempt({ target: 'c' }),
        ],
      }),
    );
    expect(parse(test)).toEqual({
      config: 'app.json',
      tests: [
        {
          name: 'takes the route of request t-1',
          given: { operation: 'chat', params: { model: 'fast', stream: true }, metadata: { team: 'red' } },
          when: { a: [{ status: 429 }, { error: 'silent' }], b: [{ error: 'refused' }], c: [{ status: 200 }] },
          expect: { calls: ['a', 'a', 'b', 'c'], status: 200 },
        },
      ],
    });
  });

  it('is offered unless the request had no config and no attempts', () => {
    expect(hasRouteTest(whole({ config: null, attempts: [] }))).toBe(false);
    expect(hasRouteTest(whole({ config: null, attempts: [attempt({ target: 'a' })] }))).toBe(true);
    expect(hasRouteTest(whole({ config: 'app', attempts: [] }))).toBe(true);
  });

  it('is valid YAML with the same texts, whatever the log contains', () => {
    const test = toRouteTest(
      whole({
        ...{ config: hostile, requested_model: hostile, path: `/v1/${hostile}`, trace_id: hostile },
        ...{ plan_model: hostile, metadata: { [hostile]: hostile }, attempts: [attempt({ target: hostile })] },
      }),
    );
    const { config, tests } = parse(test);
    expect([config, tests.length]).toEqual([`${hostile}.json`, 1]);
    expect(tests[0]).toMatchObject({
      given: { path: `/v1/${hostile}`, params: { model: hostile }, virtual_model: hostile },
      when: { [hostile]: [{ status: 200 }] },
      expect: { calls: [hostile] },
    });
    expect(tests[0].given.metadata).toEqual({ [hostile]: hostile });
    expect(toRouteTestFile({ config: '../../etc/passwd' })).toBe('..-..-etc-passwd.route.yaml');
  });
});
