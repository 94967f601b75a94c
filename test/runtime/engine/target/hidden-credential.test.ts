import { describe, expect, it } from 'vitest';
import type { Credential } from '../../../../plugins/sdk/provider/provider.ts';
import { type HiddenCredential, hiddenCredential } from '../../../../runtime/engine/target/hidden-credential.ts';

const hiding = (credential: Credential): HiddenCredential => {
  const hidden = hiddenCredential(credential);
  if (hidden === null) throw new Error('Nothing of this credential is hidden.');
  return hidden;
};

/** Returns a text without the credential, and checks that its bytes are treated in the same way. */
const shown = (credential: Credential, text: string): string => {
  const hidden = hiding(credential);
  const found = hidden.text(text);
  expect(Buffer.from(hidden.bytes(Buffer.from(text))).toString()).toBe(found);
  return found;
};

describe('a credential in an answer of an upstream', () => {
  it('is hidden wherever it occurs, and keeps its length', () => {
    const key = { api_key: 'sk-12345' };
    expect(shown(key, 'sk-12345, sk-12345sk-12345 and sk-1234')).toBe('********, **************** and sk-1234');
    expect(shown(key, 'The key sk-12345')).toBe('The key ********');
  });

  it('is hidden as JSON and URLs encode it', () => {
    const key = { api_key: 'a"b/c d\\e' };
    expect(shown(key, 'a"b/c d\\e')).toBe('*'.repeat(9));
    expect(shown(key, '{"key":"a\\"b/c d\\\\e"}')).toBe(`{"key":"${'*'.repeat(11)}"}`);
    expect(shown(key, '?key=a%22b%2Fc%20d%5Ce&x=1')).toBe(`?key=${'*'.repeat(17)}&x=1`);
  });

  it('is hidden as a whole if another secret is a part of it', () => {
    const text = 'It is inner-key-and-more or inner-key.';
    const masked = 'It is ****************** or *********.';
    expect(shown({ short: 'inner-key', long: 'inner-key-and-more' }, text)).toBe(masked);
    expect(shown({ long: 'inner-key-and-more', short: 'inner-key' }, text)).toBe(masked);
  });

  it('leaves texts without it unchanged, in the same bytes, and never changes the input', () => {
    const hidden = hiding({ api_key: 'sk-12345' });
    const clean = Buffer.from('Nothing is in here.');
    expect(hidden.bytes(clean)).toBe(clean);
    const given = Buffer.from('xx sk-12345 xx');
    expect(Buffer.from(hidden.bytes(given.subarray(3, 11))).toString()).toBe('********');
    expect(given.toString()).toBe('xx sk-12345 xx');
  });

  it('is not hidden in parts that are shorter than eight characters', () => {
    expect(hiddenCredential({})).toBeNull();
    expect(hiddenCredential({ api_key: undefined, pin: '1234567' })).toBeNull();
    expect(shown({ api_key: undefined, pin: '1234567', key: '12345678' }, '1234567 12345678')).toBe('1234567 ********');
  });

  it('is processed once', () => {
    const key = { api_key: 'sk-12345' };
    expect(hiddenCredential(key)).toBe(hiddenCredential(key));
  });
});

describe('a secret that may have begun at the end of some bytes', () => {
  const begun = (credential: Credential, text: string): number => hiding(credential).begun(Buffer.from(text));

  it('has begun with as many of its bytes as are there', () => {
    const key = { api_key: 'abcdefgh' };
    expect(['', 'x', 'a', 'xa', 'x abcdefg', 'abcdefg', 'abcx', 'bcdefgh'].map((text) => begun(key, text))).toEqual([
      0, 0, 1, 1, 7, 7, 0, 0,
    ]);
  });

  it('has not begun if all of it is there', () => {
    expect(begun({ api_key: 'abcdefgh' }, 'x abcdefgh')).toBe(0);
    expect(begun({ short: 'bcdefghi', long: 'abcdefghijkl' }, 'x bcdefghi')).toBe(0);
  });

  it('is the one of several that has the most bytes there', () => {
    const both = { first: 'abcabcxyz', second: 'cabcabcd' };
    expect(begun(both, 'x cabcabc')).toBe(7);
    expect(begun(both, 'x abc')).toBe(3);
    expect(begun({ short: 'bcbcbcbc', long: 'abcdefghijkl' }, 'x abcdefghij')).toBe(10);
  });
});
