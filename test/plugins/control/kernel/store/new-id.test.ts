import { beforeEach, describe, expect, it } from 'vitest';

/** The module remembers the last id, so each test imports its own copy: other test files in this process have created ids. */
let newId: (now: number) => string;
let writeNewId: (now: number, view: DataView, at: number) => void;
let idOfBytes: (bytes: Buffer) => string;
let copies = 0;
beforeEach(async () => {
  copies += 1;
  ({ newId, writeNewId, idOfBytes } = await import(
    `../../../../../plugins/control/kernel/store/new-id.ts?copy=${copies}`
  ));
});

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const toTime = (id: string): number => Number.parseInt(id.replace('-', '').slice(0, 12), 16);

describe('newId', () => {
  it('creates version 7 UUIDs, which begin with their time', () => {
    const id = newId(1_700_000_000_000);
    expect(id).toMatch(pattern);
    expect(toTime(id)).toBe(1_700_000_000_000);
    expect(toTime(newId(1_700_000_000_001.9))).toBe(1_700_000_000_001);
  });

  it('makes each id larger than the one before, even within a millisecond and if the clock is set back', () => {
    const times = [...Array.from({ length: 5000 }, () => 1_800_000_000_000), 1_700_000_000_000, 1_800_000_000_001];
    const ids = times.map((time) => newId(time));
    expect(ids).toEqual([...new Set(ids)].sort());
    for (const id of ids) expect(id).toMatch(pattern);
    expect(toTime(ids.at(-1) ?? '')).toBe(1_800_000_000_001);
  });

  it.each([-1, Number.NaN, 2 ** 48, Number.POSITIVE_INFINITY])(
    'refuses the time %s, which a UUID cannot contain',
    (now) => {
      expect(() => newId(now)).toThrow(RangeError);
    },
  );
});

describe('writeNewId', () => {
  const written = (now: number): string => {
    const bytes = Buffer.alloc(20, 0xff);
    writeNewId(now, new DataView(bytes.buffer, bytes.byteOffset), 2);
    expect([...bytes.subarray(0, 2), ...bytes.subarray(18)]).toEqual([255, 255, 255, 255]);
    return idOfBytes(bytes.subarray(2, 18));
  };

  it('writes the bytes of UUIDs that belong to the same sequence as those of newId', () => {
    const times = [0, 2 ** 48 - 1].flatMap((time) => Array.from({ length: 3000 }, () => time));
    const ids = times.map((time, at) => (at % 3 === 0 ? newId(time) : written(time)));
    expect(ids).toEqual([...new Set(ids)].sort());
    for (const id of ids) expect(id).toMatch(pattern);
    expect([toTime(ids[1] ?? ''), toTime(ids[3001] ?? '')]).toEqual([0, 2 ** 48 - 1]);
  });

  it('refuses a time that a UUID cannot contain', () => {
    expect(() => written(-1)).toThrow(RangeError);
  });
});
