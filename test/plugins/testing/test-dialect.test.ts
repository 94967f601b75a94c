import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../plugins/dialects/builtin-dialects.ts';
import { echo } from '../../../plugins/providers/echo/echo.ts';
import type { Dialect } from '../../../plugins/sdk/dialect.ts';
import { testDialect } from '../../../plugins/testing/test-dialect.ts';
import { testProvider } from '../../../plugins/testing/test-provider.ts';

describe('testDialect', () => {
  it.each(builtinDialects.map((dialect) => [dialect.id, dialect] as const))('%s keeps its laws', (_, dialect) => {
    testDialect(dialect);
  });

  const chat = builtinDialects.find(({ id }) => id === 'chat') ?? expect.unreachable();
  const codec = chat.conversation ?? expect.unreachable();
  const broken: readonly (readonly [string, Partial<Dialect>])[] = [
    ['classify throws on', { classify: ({ data }) => JSON.parse(data).kind }],
    ['decodeError must use a body that is not JSON', { decodeError: (_, body) => ({ message: JSON.parse(body) }) }],
    ['encodeStreamError must be a frame', { encodeStreamError: () => ({ data: 'half' }) }],
    [
      'read back as',
      { conversation: { ...codec, decodeAnswer: (...wire) => ({ ...codec.decodeAnswer(...wire), choices: [] }) } },
    ],
    [
      'which its losses do not declare',
      {
        conversation: {
          ...codec,
          losses: [],
          encodeRequest: (each, to) => ({ ...codec.encodeRequest(each, to), lost: ['turns[0].parts[1]'] }),
        },
      },
    ],
    [
      'a stream that was cut off must not be read as complete',
      {
        conversation: { ...codec, streamDecoder: () => ({ push: () => [], end: () => [{ kind: 'end' }] }) },
      },
    ],
  ];

  it.each(broken)('finds that %s', (fault, change) => {
    expect(() => testDialect({ ...chat, ...change })).toThrow(fault);
  });

  it('takes the frames that its author knows', () => {
    expect(() => testDialect(chat, { frames: [[{ data: '[DONE]' }, 'content']] })).toThrow('which is "content"');
  });

  it('converses with a provider that answers in process', () => testProvider(echo, { dialects: builtinDialects }));
});
