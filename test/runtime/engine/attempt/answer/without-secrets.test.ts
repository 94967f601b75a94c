import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutSecrets } from '../../../../../plugins/sdk/provider/without-secrets.ts';

describe('a message of a provider', () => {
  it('is unchanged if it contains no part of the credential', () => {
    expect(withoutSecrets('region is missing.', { api_key: 'sk-secret-key', region: undefined, pin: 'is' })).toBe(
      'region is missing.',
    );
  });

  it('contains neither a credential nor a piece of it', () => {
    const credential = { api_key: 'sk-1234567890', key: '{"private_key": "-----BEGIN"}', short: 'abcd' };
    expect(withoutSecrets('The key sk-1234567890 is not valid.', credential)).toBe('The key … is not valid.');
    expect(withoutSecrets('Unexpected token in {"private_k... at 0', credential)).toBe('Unexpected token in …... at 0');
    expect(withoutSecrets('abcd and abc', credential)).toBe('… and abc');
  });

  it('never contains eight consecutive characters of a secret', () => {
    const secret = fc.string({ minLength: 8, maxLength: 40 });
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), fc.nat(), (key, before, after, at) => {
        fc.pre(!key.includes('…'));
        const text = withoutSecrets(`${before}${key.slice(at % (key.length - 7))}${after}`, { key });
        for (let from = 0; from + 8 <= key.length; from += 1) expect(text).not.toContain(key.slice(from, from + 8));
      }),
    );
  });

  it('is at most 300 characters long', () => {
    expect(withoutSecrets('x'.repeat(1000), {})).toHaveLength(300);
  });
});
