import { describe, expect, it } from 'vitest';
import { secrets } from '../../../../plugins/guardrails/privacy/secrets.ts';
import { testGuardrail } from '../../../../plugins/testkit/test-guardrail.ts';
import { credentials } from '../corpus/credentials.ts';
import { alphanumeric, seeded } from '../corpus/random.ts';

const random = seeded(1);
const key = `ghp_${random.text(alphanumeric, 36)}`;
const base64Json = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** A token in the form of a JWT. It is built here so that the file contains none for secret scanners to report. */
const jwt = `${base64Json({ alg: 'HS256', typ: 'JWT' })}.${base64Json({ sub: 'ada' })}.${random.text(alphanumeric, 43)}`;
const pem = (name: string): string =>
  `-----BEGIN ${name}PRIVATE KEY-----\n${random.text(alphanumeric, 64)}\n${random.text(alphanumeric, 40)}=\n-----END ${name}PRIVATE KEY-----`;

describe('default.secrets', () => {
  it('finds vendor keys, JSON web tokens, private keys, passwords and URLs with credentials', () =>
    testGuardrail(secrets, [
      { parameters: {}, text: 'Nothing.', verdict: 'pass', data: { found: {} } },
      { parameters: {}, text: `Use ${key}.`, verdict: 'fail', data: { found: { 'api-key': 1 } } },
      { parameters: {}, text: pem('RSA '), verdict: 'fail', data: { found: { 'private-key': 1 } } },
      { parameters: {}, text: 'password: hunter2!', verdict: 'fail', data: { found: { password: 1 } } },
      { parameters: {}, text: '{"password":"hunter2!"}', verdict: 'fail', data: { found: { password: 1 } } },
      {
        parameters: {},
        text: 'postgres://app:s3cr3tdb@db/x',
        verdict: 'fail',
        data: { found: { 'url-credentials': 1 } },
      },
      { parameters: {}, text: `Use ${jwt}.`, verdict: 'fail', data: { found: { jwt: 1 } } },
      { parameters: { categories: ['jwt'] }, text: jwt, verdict: 'fail', data: { found: { jwt: 1 } } },
      { parameters: { categories: ['jwt'] }, text: key, verdict: 'pass' },
      { parameters: { categories: ['keys'] }, verdict: 'refused' },
    ]));

  it('passes samples, code and ordinary words', () =>
    testGuardrail(
      secrets,
      [
        'password: required',
        'password = os.environ["PASSWORD"]',
        'PASSWORD=$' + '{PASSWORD}',
        'token: process.env.TOKEN',
        'The token is invalid.',
        'https://user:password@example.org',
        `ghp_${'x'.repeat(36)}`,
        `a${key}`,
        `${key}a`.slice(0, 20),
        'Files begin with -----BEGIN PRIVATE KEY-----.',
        pem('').replaceAll('PRIVATE KEY', 'CERTIFICATE'),
      ].map((text) => ({ parameters: {}, text, verdict: 'pass' as const })),
    ));

  it('redacts a private key up to its last line, or as far as it goes without one', () => {
    const cut = pem('EC ').split('\n').slice(0, -1).join('\n');
    return testGuardrail(secrets, [
      {
        parameters: { action: 'redact' },
        text: `a\n${pem('EC ')}\nb`,
        verdict: 'pass',
        replaced: ['a\n[PRIVATE_KEY]\nb'],
      },
      {
        parameters: { action: 'redact' },
        text: `${cut}\n\nAnd so on.`,
        verdict: 'pass',
        replaced: ['[PRIVATE_KEY]\n\nAnd so on.'],
      },
      {
        parameters: { action: 'redact' },
        text: cut.replaceAll('\n', '\\n'),
        verdict: 'pass',
        replaced: ['[PRIVATE_KEY]'],
      },
    ]);
  });

  it('redacts as little around a value as possible', () =>
    testGuardrail(secrets, [
      {
        parameters: { action: 'redact' },
        text: 'the password is hunter2!.',
        verdict: 'pass',
        replaced: ['the password is [PASSWORD]!.'],
      },
      {
        parameters: { action: 'redact' },
        text: '"api_key": "a8f00458a177a95685cb"',
        verdict: 'pass',
        replaced: ['"api_key": "[PASSWORD]"'],
      },
      {
        parameters: { action: 'redact' },
        text: 'https://ann:geheim9@x.org/',
        verdict: 'pass',
        replaced: ['https://[URL_CREDENTIALS]@x.org/'],
      },
    ]));

  it('keeps the values out of its verdicts', async () => {
    for (const make of credentials) {
      const { value, name } = make(random);
      const text = name === undefined ? value : name.includes('{}') ? name.replace('{}', value) : `${name}: ${value}`;
      const check = secrets.create(
        { categories: ['api-key', 'jwt', 'private-key', 'password', 'url-credentials'], action: 'block', not: false },
        {} as never,
      );
      const verdict = await check({ spans: [{ at: '', text, kind: 'text' }], phase: 'input' } as never);
      expect(verdict.pass).toBe(false);
      expect(JSON.stringify(verdict.data)).not.toContain(value.slice(0, 12));
    }
  });

  it('holds back as much of a stream as the longest secret that it looks for', () => {
    const overlap = (categories: readonly string[]): number =>
      secrets.parts?.({ categories, not: false })?.overlap ?? 0;
    expect(overlap(['password'])).toBeLessThan(overlap(['api-key']));
    expect(overlap(['api-key'])).toBeLessThan(overlap(['private-key']));
  });
});
