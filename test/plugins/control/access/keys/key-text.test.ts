import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fromBase32,
  keyHash,
  keyMask,
  makeKeyText,
  parseKeyText,
  toBase32,
} from '../../../../../plugins/control/access/keys/key-text.ts';
import { lawRuns } from '../../../../support/run/law-runs.ts';

const id = '0190163d-8694-739b-aea5-966c26f8ad91';
const uuid = fc.uuid({ version: 7 });
const secret = fc.uint8Array({ minLength: 32, maxLength: 32 });
const key = fc.tuple(uuid, secret).map(([ofRecord, bytes]) => makeKeyText(ofRecord, bytes));

describe('base32', () => {
  it('encodes text in the alphabet of Crockford', () => {
    expect(toBase32(Buffer.from('foobar'))).toBe('csqpyrk1e8');
  });

  it('decodes what it has encoded', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        expect(fromBase32(toBase32(bytes))).toEqual(bytes);
      }),
      lawRuns,
    );
  });

  it('has exactly one text for the same bytes', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9a-hjkmnp-tv-z]{0,12}$/), (text) => {
        const bytes = fromBase32(text);
        if (bytes !== undefined) expect(toBase32(bytes)).toBe(text);
      }),
      lawRuns,
    );
  });
});

describe('a key', () => {
  it('has the documented format', () => {
    expect(makeKeyText(id)).toMatch(/^gw-[0-9a-hjkmnp-tv-z]{26}-[0-9a-hjkmnp-tv-z]{52}-[0-9a-hjkmnp-tv-z]{6}$/);
    const text = makeKeyText(id, new Uint8Array(32));
    const [checked] = /^.*(?=-)/.exec(text) ?? [''];
    expect(text.slice(-6)).toBe(toBase32(createHash('sha256').update(checked).digest()).slice(0, 6));
  });

  it('is different each time it is generated', () => {
    expect(makeKeyText(id)).not.toBe(makeKeyText(id));
  });

  it('contains the id of its record', () => {
    fc.assert(
      fc.property(uuid, secret, (ofRecord, bytes) => {
        expect(parseKeyText(makeKeyText(ofRecord, bytes))).toEqual({ id: ofRecord, secret: toBase32(bytes) });
      }),
      lawRuns,
    );
  });

  it('is invalid if any one character is changed', () => {
    const letter = fc.constantFrom(...'0123456789abcdefghjkmnpqrstvwxyz-ABilou ');
    fc.assert(
      fc.property(key, fc.nat(88), letter, (text, at, other) => {
        fc.pre(text[at] !== other);
        expect(parseKeyText(text.slice(0, at) + other + text.slice(at + 1))).toBeUndefined();
      }),
      lawRuns,
    );
  });

  it('is not recognised in any other text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^gw-[0-9a-z]{26}-[0-9a-z]{52}-[0-9a-z]{6}$/)), (text) => {
        expect(parseKeyText(text)).toBeUndefined();
      }),
      lawRuns,
    );
    const text = makeKeyText(id);
    for (const near of [`${text} `, `${text}\n`, text.toUpperCase(), text.slice(3), `${text}-${text}`])
      expect(parseKeyText(near)).toBeUndefined();
  });

  it('is stored as the SHA-256 of its whole text, and shown as the last four characters of its secret', () => {
    const text = makeKeyText(id);
    expect(keyHash(text)).toBe(createHash('sha256').update(text).digest('hex'));
    expect(keyMask(text)).toBe(`gw-…${text.slice(-11, -7)}`);
    expect(keyMask('a key that somebody chose')).toBe('…hose');
  });
});
