import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { gemini } from '../../../../plugins/dialects/gemini/gemini.ts';
import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import { withRetryAfter } from '../../../../runtime/engine/forwarded-headers/with-retry-after.ts';

const type = 'type.googleapis.com/google.rpc.RetryInfo';
const waiting = { error: { code: 429, message: 'Slow down.', details: [{ '@type': type, retryDelay: '34s' }] } };

const addRetryAfter = (headers: readonly string[], error: object, dialect: Dialect = gemini) =>
  withRetryAfter(headers, { dialect, bytes: Buffer.from(JSON.stringify(error)) });

describe('the wait that an error specifies in its body', () => {
  const headers = ['X-Id', '1'];

  it('becomes a header after the others if the format specifies it in bodies', () => {
    expect(addRetryAfter(headers, waiting)).toEqual(['X-Id', '1', 'retry-after', '34']);
  });

  it('adds no header if the body does not specify it, or the format has no place for it', () => {
    expect(addRetryAfter(headers, { error: { code: 500, message: 'Oops.' } })).toEqual(headers);
    expect(addRetryAfter(headers, waiting, chat)).toEqual(headers);
  });

  it('yields to the header that the provider sent', () => {
    expect(addRetryAfter(['Retry-After', '7'], waiting)).toEqual(['Retry-After', '7']);
  });
});
