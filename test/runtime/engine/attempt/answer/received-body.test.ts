import { describe, expect, it } from 'vitest';
import { ReceivedBody } from '../../../../../runtime/engine/attempt/answer/received-body.ts';
import { unreservedBytes } from '../../../../../runtime/upstream/held-memory.ts';
import { errorReport } from '../../../../../schema/errors/errors.ts';

describe('a body that was joined from several answers', () => {
  it('can be as large as the limit, and a larger one is reported with that limit', () => {
    const body = new ReceivedBody(Buffer.from('four'));
    expect(body.collect(4)).toEqual(Buffer.from('four'));
    expect(body.collect(3)).toEqual({ kind: 'failure', error: errorReport('answer-too-large', { limit: 3 }) });
  });

  it('fails without memory for it', () => {
    const body = new ReceivedBody(Buffer.alloc(unreservedBytes + 1));
    expect(body.collect(1_000_000, () => true)).toHaveLength(unreservedBytes + 1);
    const overloaded = { kind: 'failure', error: errorReport('overloaded', {}) };
    expect(body.collect(1_000_000, () => false)).toEqual(overloaded);
  });
});
