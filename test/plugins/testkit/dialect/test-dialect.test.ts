import { describe, expect, it } from 'vitest';
import { builtinDialects } from '../../../../plugins/dialects/builtin-dialects.ts';
import { usageRequest as request } from '../../../../plugins/dialects/chat/answer/stream-usage.ts';
import { echo } from '../../../../plugins/providers/echo/echo.ts';
import type { Dialect } from '../../../../plugins/sdk/dialect/dialect.ts';
import { testDialect } from '../../../../plugins/testkit/dialect/test-dialect.ts';
import { testProvider } from '../../../../plugins/testkit/provider/test-provider.ts';
import { rootPointer, toPointer } from '../../../../schema/json/pointer.ts';

describe('testDialect', () => {
  it.each(builtinDialects.map((dialect) => [dialect.id, dialect] as const))('accepts %s', (_, dialect) => {
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
    ['the route /v1/prompts/{model} cannot be served', { routes: [{ path: '/v1/prompts/{model}' }] }],
    ['the route /a/{model}/{model} cannot be served', { siblings: ['/a/{model}/{model}'] }],
    ['the route /a is declared twice', { routes: [{ path: '/a' }], siblings: ['/a'] }],
    ['chooses the framing "lines"', { routes: [{ path: '/a', framing: () => 'lines' as 'ndjson' }] }],
    ['there is no framing "lines"', { framing: 'lines' as 'ndjson' }],
    ['the header "X-Key" of its clients', { clientCredentials: { headers: ['X-Key'] } }],
    ['has no name', { clientCredentials: { query: [''] } }],
    ['place must return the body unchanged', { place: (params, body) => ({ ...body, ...params, more: 1 }) }],
    ['place must put a parameter that it does not know', { place: (_, body) => body }],
    ['place must not change', { place: (params, body) => Object.assign(body, params) }],
    [
      'the parameter "temperature" of configs is not where decodeRequest reads it',
      {
        place: ({ temperature: heat, ...params }, body) => ({
          ...body,
          ...params,
          ...(heat === undefined ? {} : { heat }),
        }),
      },
    ],
    ['texts does not find the last turn', { texts: () => [] }],
    ['texts does not find another choice', { texts: (body, phase) => chat.texts?.(body, phase)?.slice(0, 1) }],
    [
      'texts must leave out the instructions',
      { texts: (body) => [{ at: rootPointer, kind: 'text', text: JSON.stringify(body) }] },
    ],
    [
      'which does not exist',
      { texts: (body, phase) => chat.texts?.(body, phase)?.map((span) => ({ ...span, at: toPointer(['nowhere']) })) },
    ],
    [
      'texts must be undefined for a turn that has only an image',
      { texts: (body, phase) => chat.texts?.(body, phase) ?? [] },
    ],
    ['usage does not read what encodeAnswer writes', { usage: () => undefined }],
    ['usage must be undefined for {}', { usage: () => ({ input: 3, output: 2 }) }],
    ['streamUsage.mark does not occur in', { streamUsage: { mark: 'counts', spoken: [] } }],
    [
      'streamUsage.request does not find what it made',
      { streamUsage: { mark: '_tokens', spoken: [], request: { ...request, make: () => true } } },
    ],
    [
      'streamUsage.request finds itself in {}',
      { streamUsage: { mark: '_tokens', spoken: [], request: { ...request, isMade: () => true } } },
    ],
    [
      'a member that decodeRequest does not know must be in extensions.chat',
      { conversation: { ...codec, decodeRequest: (...wire) => ({ ...codec.decodeRequest(...wire), extensions: {} }) } },
    ],
    [
      'the loss "turn.name" is not a member',
      { conversation: { ...codec, losses: [...codec.losses, { member: 'turn.name', why: 'It has none.' }] } },
    ],
    ['is declared twice', { conversation: { ...codec, losses: [...codec.losses, ...codec.losses] } }],
    [
      'a bound value (signature) of another scope is sent',
      {
        conversation: {
          ...codec,
          encodeRequest: (each, to) => {
            const { body, lost } = codec.encodeRequest(each, to);
            return { body: { ...body, all: JSON.stringify(each.turns) }, lost };
          },
        },
      },
    ],
    [
      'encodeAnswer shows a bound value (signature) without its scope',
      {
        conversation: {
          ...codec,
          encodeAnswer: (answer, to) => ({ ...codec.encodeAnswer(answer, to), all: JSON.stringify(answer.choices) }),
        },
      },
    ],
  ];

  it('reports that a dialect with conversations has no texts', () => {
    const { texts: _texts, ...silent } = chat;
    expect(() => testDialect(silent)).toThrow('it has conversations, but no texts');
  });

  it.each(broken)('reports that %s', (error, change) => {
    expect(() => testDialect({ ...chat, ...change })).toThrow(error);
  });

  it('checks the frames that the author adds', () => {
    expect(() => testDialect(chat, { frames: [[{ data: '[DONE]' }, 'content']] })).toThrow('which is "content"');
  });

  it('exercises the dialects with a provider that answers in process', () =>
    testProvider(echo, { dialects: builtinDialects }));
});
