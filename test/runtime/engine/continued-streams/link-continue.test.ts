import { describe, expect, it } from 'vitest';
import { chat } from '../../../../plugins/dialects/chat/chat.ts';
import { embeddings } from '../../../../plugins/dialects/embeddings/embeddings.ts';
import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import { CancellationSource } from '../../../../runtime/async/cancellation-source.ts';
import { Run } from '../../../../runtime/engine/call/run.ts';
import type { StreamSource } from '../../../../runtime/engine/call/stream-source.ts';
import { type ContinueContext, linkContinue } from '../../../../runtime/engine/continued-streams/link-continue.ts';
import { whyNotContinued } from '../../../../runtime/engine/continued-streams/why-not-continued.ts';
import { gatewayError } from '../../../../schema/errors/errors.ts';
import { toPointer } from '../../../../schema/json/pointer.ts';
import type { FallbackNode } from '../../../../schema/plan/plan.ts';
import { plainFrames } from '../../../support/continued/plain-frames.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { sampleLeaf } from '../../../support/plans/sample-plan.ts';
import { createBranch, createClient, source, type TestBranch, toBytes } from './scripted-branches.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const once = plainFrames(chat, 'Once upon').slice(0, 2);
const rest = toBytes(plainFrames(chat, ' a time.'));
const path = toPointer(['targets', 3]);
const node: FallbackNode = {
  ...{ kind: 'fallback', path, on: { kind: 'codes', codes: [502, 503, 246] } },
  branches: [sampleLeaf(0), sampleLeaf(1)],
};

const outgoingOf = (body: unknown, translation: unknown = { kind: 'same', dialect: chat }): StreamSource['outgoing'] =>
  ({ request: { body }, translation }) as never;
const bytesOf = (value: unknown): unknown => ({ kind: 'bytes', bytes: Buffer.from(JSON.stringify(value)) });
const outgoing = outgoingOf(bytesOf({ model: 'm', messages: [] }));

const streamed = ({ body, handover }: TestBranch, more: Partial<GatewayResponse> = {}): GatewayResponse => ({
  ...{ status: 200, headers: [], origin: 'upstream', body, handover },
  ...more,
});
const whole: GatewayResponse = {
  ...{ status: 200, headers: [], origin: 'upstream' },
  body: { kind: 'bytes', bytes: Buffer.from('{}') },
};

interface World {
  readonly first?: TestBranch;
  readonly usage?: boolean;
  readonly memory?: (bytes: number) => boolean;
  /** The size of a comment before the beginning. */
  readonly size?: number;
  /** What the second branch answers, or throws. */
  readonly second?: (branch: TestBranch, client: CancellationSource) => GatewayResponse;
}

/** Breaks the stream of the first branch of a fallback. */
const breaking = async ({
  first = createBranch({ outgoing }),
  usage = false,
  memory,
  size = 0,
  second = (branch) => streamed(branch),
}: World) => {
  const cancellation = new CancellationSource();
  const exchange = sampleExchange({}, { cancellation, overrides: { usage } });
  const run = new Run(exchange, chat);
  const branch = createBranch({ outgoing });
  const answerMemory = memory && { take: memory };
  const context = { ports: { answerMemory }, names: { check: () => undefined } } as unknown as ContinueContext;
  const { goOn } = linkContinue(node, async () => second(branch, cancellation), context);
  const { body } = goOn({ response: streamed(first), from: 0, others: [1], run });
  if (body.kind !== 'stream') throw new Error('It is no stream.');
  const client = createClient();
  body.start(client.sink);
  first.sink.write(
    Buffer.concat([Buffer.alloc(size, ': a comment\n\n'), toBytes(once, first.handover.source.framing)]),
  );
  first.break();
  await settle();
  const story = exchange.trail.map((event) => (event.kind === 'notContinued' ? event.reason : event.kind));
  return { client, branch, story };
};

describe('a broken stream of a fallback', () => {
  it('continues at the next branch, and at the path of the fallback if that has none', async () => {
    const { client, branch, story } = await breaking({});
    branch.sink.write(rest);
    branch.finish('complete');
    expect(story).toEqual(['continued']);
    expect(client.events.join('')).toMatch(/a time\..*x-gw-continued: config.targets\[3\]<end>$/s);
  });

  it.each<[string, NonNullable<World['second']>, string, boolean]>([
    [
      'throws an error',
      () => {
        throw gatewayError('no-output-left', {});
      },
      'refused',
      false,
    ],
    [
      'is broken',
      () => {
        throw new Error('It is broken.');
      },
      'unreadable',
      false,
    ],
    ['answers as a whole', () => whole, 'refused', false],
    [
      'has a stream that cannot be handed over',
      (branch) => ({ ...streamed(branch), handover: { trailer: 'x' } }),
      'refused',
      true,
    ],
    ['has a stream with an error status', (branch) => streamed(branch, { status: 400 }), 'refused', true],
    ['has a stream with a status of the triggers', (branch) => streamed(branch, { status: 246 }), 'refused', true],
    ['cannot continue', () => ({ ...whole, cause: 'cannot-continue' }), 'no-branch', false],
    ['has no output left', () => ({ ...whole, cause: 'no-output-left' }), 'length', false],
  ])('does not continue if the next branch %s', async (_, second, reason, isDiscarded) => {
    const { client, branch, story } = await breaking({ second });
    expect(story).toEqual([reason]);
    expect(client.events.at(-1)).toBe('<end>');
    expect(branch.isDiscarded).toBe(isDiscarded);
  });

  it('ends without a report if its client disconnects meanwhile, and discards the answer of the next branch', async () => {
    const { client, branch, story } = await breaking({
      second: (answering, cancellation) => {
        cancellation.cancel();
        return streamed(answering);
      },
    });
    expect([branch.isDiscarded, story, client.events.slice(1)]).toEqual([true, [], ['<stream-cut>']]);
  });

  it('ends with its error if there is no memory for its beginning', async () => {
    for (const [size, hasMemory, outcome] of [
      [0, false, 'continued'],
      [100_000, false, 'too-long'],
      [100_000, true, 'continued'],
    ] as const) {
      const { story } = await breaking({ size, memory: () => hasMemory });
      expect(story).toEqual([outcome]);
    }
  });

  it('reports its usage in its end only if the caller asks for it and its framing has comments', async () => {
    for (const [usage, framing, isSaid] of [
      [true, 'sse', true],
      [false, 'sse', false],
      [true, 'ndjson', false],
    ] as const) {
      const { client, branch } = await breaking({ first: createBranch({ outgoing, framing }), usage });
      branch.finish('complete');
      expect(client.events.join('').includes('x-gw-usage')).toBe(isSaid);
    }
  });

  it('cannot be read if its client has no dialect with answers', async () => {
    for (const dialect of [undefined, embeddings])
      expect((await breaking({ first: createBranch({ outgoing, dialect }) })).story).toEqual(['unreadable']);
  });
});

describe('an answer of a fallback', () => {
  const goOn = (response: GatewayResponse): GatewayResponse => {
    const context = { ports: {}, names: { check: () => undefined } } as unknown as ContinueContext;
    const linked = linkContinue(node, async () => whole, context);
    return linked.goOn({ response, from: 0, others: [1], run: new Run(sampleExchange(), chat) });
  };

  it('is as it came if it is whole or cannot be handed over', () => {
    const branch = createBranch();
    for (const response of [
      whole,
      { ...whole, handover: branch.handover },
      { ...streamed(branch), handover: { trailer: 'x' } },
    ])
      expect(goOn(response)).toBe(response);
    expect(goOn(streamed(branch)).body).not.toBe(branch.body);
  });
});

describe('a request whose stream may not continue elsewhere', () => {
  it.each<[string, Partial<StreamSource>, string | undefined]>([
    ['none', { outgoing }, undefined],
    ['values to restore', { outgoing, restores: true }, 'checks'],
    ['one that was not sent', { outgoing: undefined }, 'unreadable'],
    ['a body that is not in memory', { outgoing: outgoingOf({ kind: 'stream' }) }, 'unreadable'],
    ['a body that is passed through', { outgoing: outgoingOf(bytesOf({}), null) }, 'unreadable'],
    ['a body that is no object', { outgoing: outgoingOf(bytesOf(7)) }, 'unreadable'],
    [
      'a dialect without conversations',
      { outgoing: outgoingOf(bytesOf({}), { kind: 'same', dialect: embeddings }) },
      'unreadable',
    ],
    ['two answers', { outgoing: outgoingOf(bytesOf({ messages: [], n: 2 })) }, 'several-answers'],
  ])('is recognised: %s', (_, more, reason) => {
    const translated =
      more.outgoing?.translation === null ? { ...more.outgoing, translation: undefined } : more.outgoing;
    expect(whyNotContinued({ ...source, ...more, outgoing: translated } as StreamSource)).toBe(reason);
  });
});
