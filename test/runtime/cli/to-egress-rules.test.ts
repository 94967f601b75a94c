import { expect, it } from 'vitest';
import { toEgressRules } from '../../../runtime/cli/settings/to-egress-rules.ts';

it.each([
  ['has no value', undefined, 'refers to ${env:CA}, which is not set or cannot be read. Set it'],
  ['is not a certificate', 'a password', '(${env:CA}) is not a PEM certificate, or is incomplete. Convert it'],
])('names the setting of authorities whose reference %s', (_, value, problem) => {
  const create = (): unknown => toEgressRules({ trusted_authorities: '${env:CA}' }, { env: {}, read: () => value });
  expect(create).toThrow('"trusted_authorities" in the gateway file ');
  expect(create).toThrow(problem);
});
