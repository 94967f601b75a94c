import { describe, expect, it } from 'vitest';
import { credentialForm, withoutCredentials } from '../../../schema/credentials/credential-form.ts';
import { processorMs } from '../../support/gateways/processor-time.ts';

const hex = (length: number): string => '0123456789abcdef'.repeat(20).slice(0, length);
const letters = (length: number): string => 'QwErTyUiOpAsDfGhJkLzXcVbNm0918273645'.repeat(20).slice(0, length);

const credentials: readonly (readonly [string, string])[] = [
  ['OpenAI', `sk-proj-${letters(120)}`],
  ['OpenAI', `sk-${letters(48)}`],
  ['Anthropic', `sk-ant-api03-${letters(95)}`],
  ['OpenRouter', `sk-or-v1-${hex(64)}`],
  ['Google', `AIza${letters(35)}`],
  ['AWS', `AKIA${'ABCDEFGHIJKLMNOP'}`],
  ['GitHub', `ghp_${letters(36)}`],
  ['Groq', `gsk_${letters(52)}`],
  ['Slack', `xoxb-${letters(40)}`],
  ['Nvidia', `nvapi-${letters(64)}`],
  ['Gatewright', `gw-${letters(26)}-${letters(52)}-${letters(6)}`.toLowerCase()],
  ['Gatewright', `gw-${letters(26)}-${letters(52)}-${letters(6)}`.toUpperCase()],
  ['an issuer of JSON web tokens', `eyJ${letters(20)}.eyJ${letters(60)}.${letters(43)}`],
  ['a private key', `-----BEGIN PRIVATE KEY-----\n${letters(64)}\n${letters(64)}\n-----END PRIVATE KEY-----\n`],
];

describe('a text that is a credential', () => {
  it.each(credentials)('is recognised by its form, even with a scheme or spaces around it: %s', (whose, key) => {
    for (const text of [key, ` ${key}\n`, `Bearer ${key}`, `token\t${key}`]) expect(credentialForm(text)).toBe(whose);
  });

  it.each(credentials.filter(([whose]) => whose !== 'a private key'))(
    'is not recognised with other text before or after it: %s',
    (whose, key) => {
      for (const text of [`a${key}`, `See ${key}`, `${key} is a key`]) expect(credentialForm(text)).toBeUndefined();
      if (!/key|token/.test(whose)) expect(credentialForm(key.slice(0, 12))).toBeUndefined();
    },
  );

  it.each(credentials)('is removed from messages: %s', (_, key) => {
    for (const text of [key, `"${key}" is no number.`, `a: ${key}, b`])
      expect(withoutCredentials(text)).not.toContain(key);
  });

  it.each([
    'gpt-4o',
    'sk-',
    'sk-test',
    'sk-live-0123456789',
    'AKIA',
    'user-0123456789abcdef0123456789abcdef',
    '0123456789abcdef0123456789abcdef',
    '550e8400-e29b-41d4-a716-446655440000',
    'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
    'ft:gpt-4o-mini-2024-07-18:acme:support:AbCdEfGh',
    'sk-[a-f0-9]{32}',
    '${env:OPENAI_API_KEY}',
    'projects/acme/locations/us-central1/endpoints/1234567890123456789',
  ])('is not confused with a text that only resembles one: %s', (text) => {
    expect(credentialForm(text)).toBeUndefined();
    expect(withoutCredentials(text)).toBe(text);
  });

  it('is searched for in a long text within two seconds', () => {
    const long = `${'sk-ant-'.repeat(40_000)}${'eyJ'.repeat(40_000)}${'-----BEGIN '.repeat(20_000)}`;
    const ms = processorMs(() => {
      expect(credentialForm(long)).toBeUndefined();
      withoutCredentials(long);
    });
    expect(ms).toBeLessThan(2000);
  });
});
