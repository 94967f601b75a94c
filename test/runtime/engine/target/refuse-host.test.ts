import { describe, expect, it } from 'vitest';
import { refuseHost } from '../../../../runtime/engine/target/refuse-host.ts';
import { GatewayError } from '../../../../schema/errors/errors.ts';

/** Returns the message with which callers are refused this base URL. */
const refusal = (baseUrl: string, listable: boolean): string => {
  const findHostError = () => ({ reason: 'it is not public.', listable });
  try {
    refuseHost({ findHostError }, 'custom_host', baseUrl);
  } catch (error) {
    if (error instanceof GatewayError) return JSON.stringify(error.report);
    throw error;
  }
  return '';
};

describe('a host that callers may not name', () => {
  it('is reported with advice for the operator if that helps, and without the rest of the URL', () => {
    const report = refusal('https://user:pw@inside.test:8080/secret?key=1', true);
    expect(report).toContain('host-not-allowed');
    expect(report).toContain('inside.test:8080');
    expect(report).toContain('it is not public.');
    expect(report).toContain(
      'The operator can list it in GW_TRUSTED_HOSTS if that is set, otherwise under trusted_hosts.',
    );
    expect(report).not.toMatch(/user|pw|secret|key=1|custom_host/);
  });

  it('is reported with the field that names it if it is not a host', () => {
    for (const odd of ['secret', 'file:///secret']) {
      const report = refusal(odd, false);
      expect(report).toContain('of custom_host');
      expect(report).toContain('Use a URL such as https://models.example.com/v1.');
      expect(report).not.toContain('secret');
    }
  });
});

describe('a host that callers may name', () => {
  it('is any host that nothing refuses', () => {
    expect(() => refuseHost({}, 'custom_host', 'https://a.test')).not.toThrow();
    expect(() => refuseHost({ findHostError: () => undefined }, 'x-gw-custom-host', 'https://a.test')).not.toThrow();
  });
});
