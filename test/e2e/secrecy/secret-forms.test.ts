import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Secrets } from './support/secrets.ts';

const writings: Readonly<Record<string, (text: string) => Buffer | string>> = {
  'as it is': (text) => text,
  'in JSON': (text) => JSON.stringify({ error: `It was ${text}.` }),
  'in JSON twice': (text) => JSON.stringify(JSON.stringify({ text })),
  'in a URL': (text) => new URL(`http://host/?key=${encodeURIComponent(text)}`).href,
  'in a form': (text) => new URLSearchParams({ a: 'b', key: text }).toString(),
  'in hex': (text) => `x${Buffer.from(text).toString('hex')}`,
  'in upper-case hex': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'in UTF-16': (text) => Buffer.from(`a ${text}`, 'utf16le'),
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64 after a byte': (text) => Buffer.from(`:${text} and more`).toString('base64'),
  'in base64 after two': (text) => Buffer.from(`u:${text}`).toString('base64'),
  'in base64 after "user:"': (text) => Buffer.from(`user:${text}\n`).toString('base64'),
  'in base64url': (text) => Buffer.from(`{"key":"${text}"}`).toString('base64url'),
};

describe('the search for secrets', () => {
  it.each(Object.entries(writings))('finds a secret %s', (_, write) => {
    const secrets = new Secrets();
    for (let run = 0; run < 20; run += 1) {
      const text = secrets.make(`secret ${run}`);
      const bytes = Buffer.concat([randomBytes(run), Buffer.from(write(text)), randomBytes(run)]);
      expect(secrets.in(bytes).some((found) => found.startsWith(`secret ${run},`))).toBe(true);
      expect(secrets.in(bytes, { except: secrets.names })).toEqual([]);
    }
  });

  it('finds the bytes of a key, and nothing in random bytes', () => {
    const secrets = new Secrets();
    const key = secrets.add('a key', randomBytes(32));
    for (const text of [key, key.toString('base64'), key.toString('base64url'), key.toString('hex')])
      expect(secrets.in(Buffer.from(text))).not.toEqual([]);
    expect(secrets.in(randomBytes(1_000_000))).toEqual([]);
  });
});
