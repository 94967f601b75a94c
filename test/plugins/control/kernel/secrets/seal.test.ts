import { createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DataKey,
  open,
  type Sealed,
  type SealedAt,
  SecretError,
  seal,
} from '../../../../../plugins/control/kernel/secrets/seal.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';

const dataKey = (id = 'key-1'): DataKey => ({ id, key: createSecretKey(randomBytes(32)) });

/** Any JavaScript string, including halves of surrogate pairs. */
const anyText = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));
const anyPlace: fc.Arbitrary<SealedAt> = fc.record({ tenant: anyText, table: anyText, id: anyText, field: anyText });

const changedByte = (text: string, at: number, by: number): string => {
  const bytes = Buffer.from(text, 'base64url');
  const index = at % bytes.length;
  bytes[index] = (bytes[index] ?? 0) ^ by;
  return bytes.toString('base64url');
};

const opens = (sealed: Sealed, at: SealedAt, key: DataKey): boolean => {
  try {
    open(sealed, at, key);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(SecretError);
    return false;
  }
};

describe('a sealed text', () => {
  const key = dataKey();

  it('opens at its place, whatever the text, and can be stored as JSON', () => {
    fc.assert(
      fc.property(anyText, anyPlace, (plain, at) => {
        const stored: Sealed = JSON.parse(JSON.stringify(seal(plain, at, key)));
        expect(open(stored, at, key)).toBe(plain);
      }),
      lawRuns,
    );
  });

  it('does not open if a byte of its box or of its nonce is changed', () => {
    fc.assert(
      fc.property(anyText, anyPlace, fc.nat(), fc.integer({ min: 1, max: 255 }), (plain, at, byte, by) => {
        const sealed = seal(plain, at, key);
        expect(opens({ ...sealed, box: changedByte(sealed.box, byte, by) }, at, key)).toBe(false);
        expect(opens({ ...sealed, nonce: changedByte(sealed.nonce, byte, by) }, at, key)).toBe(false);
      }),
      lawRuns,
    );
  });

  it('does not open at another place', () => {
    fc.assert(
      fc.property(anyText, anyPlace, anyPlace, (plain, at, other) => {
        fc.pre(JSON.stringify(at) !== JSON.stringify(other));
        const sealed = seal(plain, at, key);
        expect(opens(sealed, other, key)).toBe(false);
        for (const part of ['tenant', 'table', 'id', 'field'] as const) {
          expect(opens(sealed, { ...at, [part]: `${at[part]}x` }, key)).toBe(false);
        }
      }),
      lawRuns,
    );
  });

  const at = { tenant: 'a', table: 'providers', id: '1', field: 'credential' };

  it('is different each time the same text is sealed', () => {
    expect(seal('same', at, key).box).not.toBe(seal('same', at, key).box);
  });

  it.each([
    [
      'a shorter tag',
      (sealed: Sealed) => ({
        ...sealed,
        box: Buffer.from(sealed.box, 'base64url').subarray(0, -4).toString('base64url'),
      }),
    ],
    ['no tag', (sealed: Sealed) => ({ ...sealed, box: '' })],
    ['a nonce of another length', (sealed: Sealed) => ({ ...sealed, nonce: `${sealed.nonce}AAAA` })],
    ['no nonce', (sealed: Sealed) => ({ ...sealed, nonce: '' })],
    ['another version', (sealed: Sealed) => ({ ...sealed, v: 2 as 1 })],
    ['the id of another key', (sealed: Sealed) => ({ ...sealed, key: 'key-2' })],
    ['a box that is not base64url', (sealed: Sealed) => ({ ...sealed, box: `${sealed.box}=` })],
    ['a box that is not a string', (sealed: Sealed) => ({ ...sealed, box: 7 as unknown as string })],
  ])('with %s does not open', (_what, change) => {
    expect(opens(change(seal('plain', at, key)), at, key)).toBe(false);
  });

  it('does not open with another key of the same id', () => {
    expect(opens(seal('plain', at, key), at, dataKey())).toBe(false);
  });

  it('that does not open is reported with its place and a remedy, but without its content', () => {
    const sealed = seal('sk-very-secret', at, key);
    expect(() => open(sealed, { ...at, id: '2' }, key)).toThrow(
      new SecretError(
        'The secret in the field credential of the record 2 of providers cannot be opened, because it was changed or belongs to another record: save it again.',
      ),
    );
  });
});
