import { describe, expect, it } from 'vitest';
import { accountName, namedAccount } from '../../../../../plugins/control/work/provider-requests/account.ts';
import { nothingSaved, type Saved } from '../../../../../schema/config/saved.ts';
import { GatewayError } from '../../../../../schema/errors/errors.ts';

const openai = { provider: 'openai' };
const azure = { provider: 'azure-openai' };
const both = { provider: 'mistral-ai' };

const saved: Saved = {
  ...nothingSaved,
  virtualKeys: { key: azure, 'key-id': azure, both },
  providers: { ours: openai, 'ours-id': openai, both: openai },
};

const toProblem = (run: () => unknown): unknown => {
  try {
    return run();
  } catch (error) {
    if (error instanceof GatewayError) return error.report;
    throw error;
  }
};

describe('an account', () => {
  it.each([
    ['ours', { slug: 'ours', found: openai, selectorHeaders: ['x-gw-provider', '@ours'] }],
    ['@ours', { slug: 'ours', found: openai, selectorHeaders: ['x-gw-provider', '@ours'] }],
    ['ours-id', { slug: 'ours', found: openai, selectorHeaders: ['x-gw-provider', '@ours-id'] }],
    ['key', { slug: 'key', found: azure, selectorHeaders: ['x-gw-virtual-key', 'key'] }],
    ['key-id', { slug: 'key', found: azure, selectorHeaders: ['x-gw-virtual-key', 'key-id'] }],
    ['both', { slug: 'both', found: both, selectorHeaders: ['x-gw-virtual-key', 'both'] }],
  ])('has one slug, whichever of its names is used: %s', (name, account) => {
    expect(namedAccount(saved, name)).toEqual(account);
  });

  it.each([
    ['nobody', undefined, '/x-gw-virtual-key'],
    ['__proto__', undefined, '/x-gw-virtual-key'],
    ['@nobody', 'x-gw-provider', '/x-gw-provider'],
  ])('that does not exist is reported as an error in the header that names it: %s', (name, by, pointer) => {
    const message = `The header ${pointer.slice(1)} names "${name}", but your workspace has no such virtual key or provider.`;
    expect(toProblem(() => namedAccount(saved, name, by))).toMatchObject({
      code: 'invalid-input',
      errors: [{ in: 'header', pointer, message }],
    });
  });

  it('can be named only in the header x-gw-virtual-key', () => {
    expect(accountName(['X-GW-Virtual-Key', ' ours '])).toBe('ours');
    for (const headers of [[], ['x-gw-virtual-key', ' '], ['x-gw-provider', '@ours']])
      expect(toProblem(() => accountName(headers))).toMatchObject({
        code: 'invalid-input',
        errors: [{ in: 'header', pointer: '/x-gw-virtual-key', message: 'The header x-gw-virtual-key is missing.' }],
      });
  });
});
