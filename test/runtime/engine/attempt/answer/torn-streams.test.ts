import { describe, expect, it } from 'vitest';
import { chat } from '../../../../../plugins/dialects/chat/chat.ts';
import { messages } from '../../../../../plugins/dialects/messages/messages.ts';
import type { Dialect } from '../../../../../plugins/sdk/dialect/dialect.ts';
import type { Framing } from '../../../../../plugins/sdk/framings/framing.ts';
import { framings } from '../../../../../plugins/sdk/framings/framings.ts';
import { providerFraming } from '../../../../../plugins/sdk/framings/provider-framing.ts';
import { defineGuardrail, pass } from '../../../../../plugins/sdk/guardrail/guardrail.ts';
import { isSampled } from '../../../../support/run/sampled-pairs.ts';
import { cutAt, sample } from '../../../../support/torn/judge-cuts.ts';
import { type SseStyle, written } from '../../../../support/torn/torn-stream.ts';
import { streamingDialects, type WholeStream, wholeStreams } from '../../../../support/torn/whole-streams.ts';

/** The framings in which clients of a dialect can receive its streams. */
const clientFramings = ({ framing = 'sse', routes = [] }: Dialect): readonly Framing[] => {
  const chosen = routes.flatMap((route) =>
    ['alt=sse', ''].flatMap((query) => route.framing?.(new URLSearchParams(query)) ?? []),
  );
  return [...new Set([framing, ...chosen])].map((id) => framings[id]);
};

const smallest = (dialect: Dialect): WholeStream =>
  wholeStreams(dialect).toSorted((a, b) => written(a).bytes.length - written(b).bytes.length)[0] ??
  expect.unreachable(`test/fixtures/dialects has no whole stream of ${dialect.id}`);

const byId = streamingDialects.map((dialect, at) => [dialect.id, dialect, at] as const);

describe.each(byId)('a stream of %s that is cut', (_id, dialect, at) => {
  const roads = clientFramings(dialect).map((framing) => ({ client: dialect, upstream: dialect, framing }));
  const streams = wholeStreams(dialect);
  const tiny = smallest(dialect);

  it.each(roads.map((road) => [road.framing.id, road] as const))(
    'at any byte reaches clients of its own dialect as complete or broken, in %s',
    async (_framing, road) => {
      for (const stream of streams) {
        const bytes = written(stream);
        await cutAt(road, bytes, sample(bytes, stream === tiny ? 1 : 97), stream.name);
        await cutAt(
          { ...road, asksUsage: true },
          bytes,
          sample(bytes, stream === tiny ? 11 : 197),
          `${stream.name} with usage`,
        );
      }
    },
  );

  it.runIf(dialect.conversation !== undefined)('reaches clients of another dialect as complete or broken', async () => {
    const client = dialect === chat ? messages : chat;
    for (const [streamAt, stream] of streams.entries())
      for (const asksUsage of [false, true].filter((asks) => isSampled(at + streamAt, Number(asks), 2)))
        await cutAt(
          { client, upstream: dialect, asksUsage },
          written(stream),
          sample(written(stream), 13),
          stream.name,
        );
  });

  it.each([
    ['reports', {}, undefined],
    ['may deny, in windows', { deny: true }, { overlap: 3 }],
    ['may deny the whole', { deny: true }, undefined],
  ])('reaches its clients as complete or broken if a check %s', async (_how, more, parts) => {
    const guardrail = defineGuardrail({
      id: 'test.passes',
      parameters: { type: 'object' },
      create: () => () => pass(),
      ...(parts === undefined ? {} : { parts: () => parts }),
    });
    const config = { output_guardrails: [{ 'test.passes': {}, ...more }] };
    const clients = dialect.conversation === undefined || dialect === chat ? [dialect] : [dialect, chat];
    for (const client of clients) {
      const road = { client, upstream: dialect, config, guardrails: [guardrail], asksUsage: true };
      await cutAt(road, written(tiny), sample(written(tiny), 17), tiny.name);
    }
  });

  const styles: readonly SseStyle[] = [
    { name: 'with carriage returns and line feeds', lineEnd: '\r\n' },
    { name: 'with carriage returns', lineEnd: '\r' },
    { name: 'with a byte order mark', lineEnd: '\n', mark: '\ufeff' },
    { name: 'with heartbeats', lineEnd: '\n', heartbeat: ': still there' },
    { name: 'with data in many lines', lineEnd: '\r\n', isSpread: true },
  ];
  it.runIf(providerFraming(dialect).id === 'sse').each(styles.map((style) => [style.name, style] as const))(
    'reaches its clients as complete or broken %s',
    async (_name, style) => {
      const stream = written(tiny, style);
      const road = { client: dialect, upstream: dialect, asksUsage: true };
      await cutAt(road, stream, sample(stream, 7), tiny.name);
    },
  );
});
