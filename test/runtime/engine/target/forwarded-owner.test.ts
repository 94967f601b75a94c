import { describe, expect, it } from 'vitest';
import { forwardedOwner } from '../../../../runtime/engine/target/forwarded-owner.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';

/** Returns the owner of the circuits of a target that forwards some headers, for a client that sends `headers`. */
const owner = (forwarded: readonly string[], headers: readonly string[], circuitOwner = 'ours'): string => {
  const names = new Set(forwarded);
  const request = { method: 'POST', path: '/', headers, body: { kind: 'none' } } as const;
  return forwardedOwner(
    { circuitOwner, forward: { same: names, translated: names, passed: names } },
    sampleExchange({}, { request }),
  );
};

describe('the owner of the circuits of a target that forwards headers', () => {
  it('is that of the target if no credential of the client is forwarded', () => {
    expect(owner([], ['Authorization', 'Bearer a'])).toBe('ours');
    expect(owner(['x-team'], ['X-Team', 'a', 'Authorization', 'Bearer a'])).toBe('ours');
    expect(owner(['authorization'], ['X-Team', 'a'])).toBe('ours');
    expect(owner(['authorization'], [])).toBe('ours');
  });

  it.each(['authorization', 'x-api-key', 'cookie', 'x-pomerium-jwt-assertion'])(
    'differs for each value of a forwarded %s, but not for another spelling of its name',
    (name) => {
      const [first, ...others] = [
        owner([name], [name, 'a']),
        owner([name], [name, 'b']),
        owner([name], [name, 'a', name, 'b']),
        owner([name], [name, 'a'], 'theirs'),
        'ours',
      ];
      expect(others).not.toContain(first);
      expect(new Set(others).size).toBe(others.length);
      expect(owner([name], ['X-Team', '1', name.toUpperCase(), 'a', 'X-Team', '2'])).toBe(first);
    },
  );

  it('differs between two headers with the same value', () => {
    const names = ['authorization', 'cookie'];
    expect(owner(names, ['Authorization', 'a'])).not.toBe(owner(names, ['Cookie', 'a']));
  });
});
