import { describe, expect, it } from 'vitest';
import { networkReport } from '../../../runtime/upstream/network-report.ts';

const coded = (code: string): Error => Object.assign(new Error('connect x https://h/p?key=sk-secret'), { code });

const readReason = (error: unknown): string => networkReport(error, 'h', false).message.replace(/ Check .*$/, '');

describe('networkReport', () => {
  it.each([
    ['ECONNREFUSED', 'the connection was refused'],
    ['ENOTFOUND', 'its name does not resolve'],
    ['UND_ERR_CONNECT_TIMEOUT', 'the connection timed out'],
    ['CERT_HAS_EXPIRED', 'its certificate has expired'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is self-signed'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'the TLS handshake failed'],
    ['EWHATEVER', 'the connection failed (EWHATEVER)'],
  ])('says of %s that %s', (code, reason) =>
    expect(readReason(coded(code))).toBe(`The provider at h could not be reached: ${reason}.`),
  );

  it('takes the reason of several failed addresses from the first', () => {
    expect(readReason(new AggregateError([coded('ENETUNREACH'), coded('ECONNREFUSED')]))).toContain(
      'there is no route to its network',
    );
  });

  it('never repeats what an error says of itself', () => {
    for (const error of [coded('EWHATEVER'), new Error('sk-secret'), 'sk-secret', undefined])
      expect(networkReport(error, 'h', false).message).not.toContain('sk-secret');
  });

  it('tells a connection that was lost from one that never stood', () => {
    expect(networkReport(coded('ECONNRESET'), 'h', true).code).toBe('connection-lost');
    expect(networkReport(coded('ECONNRESET'), 'h', false).code).toBe('connection-failed');
  });
});
