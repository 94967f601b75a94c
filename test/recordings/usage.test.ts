import { describe, expect, it } from 'vitest';
import { UsageMeter } from '../../runtime/usage/usage-meter.ts';
import { isJsonObject, type Json, type JsonObject } from '../../schema/json/json.ts';
import { parseObject } from '../../schema/json/parse-json.ts';
import type { UsageRecord } from '../../schema/usage/usage-record.ts';
import { here } from '../plugins/dialects/support/codecs.ts';
import { toEvents } from '../plugins/dialects/support/frames.ts';
import { framesOfRecording, isThere, type Recording, streamed, toCodec, whole } from './recorded.ts';

const call = { model: 'requested', requestBytes: () => 40 };

/** The input and output totals that the payload itself reports, under its vendor's names. */
type OwnFigures = (usage: JsonObject) => readonly [input: number, output: number];

const count = (value: Json | undefined): number => (typeof value === 'number' ? value : 0);
const inner = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});

const own: Readonly<Record<string, OwnFigures>> = {
  // If reasoning is not part of the completion, it is part of the total.
  chat: (usage) => [count(usage.prompt_tokens), count(usage.total_tokens) - count(usage.prompt_tokens)],
  responses: (usage) => [count(usage.input_tokens), count(usage.output_tokens)],
  messages: (usage) => [
    count(usage.input_tokens) + count(usage.cache_read_input_tokens) + count(usage.cache_creation_input_tokens),
    count(usage.output_tokens),
  ],
  cohere: (usage) => [count(inner(usage.tokens).input_tokens), count(inner(usage.tokens).output_tokens)],
  converse: (usage) => [count(usage.inputTokens) + count(usage.cacheReadInputTokens), count(usage.outputTokens)],
  gemini: (usage) => [
    count(usage.promptTokenCount) + count(usage.toolUsePromptTokenCount),
    count(usage.candidatesTokenCount) + count(usage.thoughtsTokenCount),
  ],
};

/** Finds the usage where vendors report it: beside the answer, in its message or response, or in a delta. */
const usageIn = (wire: JsonObject): JsonObject =>
  [wire.usage, wire.usageMetadata, inner(wire.message).usage, inner(wire.response).usage, inner(wire.delta).usage]
    .map(inner)
    .find((usage) => Object.keys(usage).length > 0) ?? {};

const withoutNulls = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

const toFigures = ({ dialect }: Recording, wires: readonly JsonObject[]): readonly [number, number] => {
  const merged = Object.assign({}, ...wires.map((wire) => withoutNulls(usageIn(wire))));
  return own[dialect.id]?.(merged) ?? [0, 0];
};

const totals = ({ input, output }: UsageRecord): readonly [number, number] => [input.total, output.total];

const metered = (dialect: Recording['dialect'], read: (meter: UsageMeter) => void): UsageRecord => {
  const meter = new UsageMeter(dialect);
  meter.begin();
  read(meter);
  return meter.record(call);
};

describe('the usage in recorded traffic (skipped if there are no recordings next to the repository)', () => {
  it.runIf(isThere)('is present in more than 30 recordings', () => {
    const known = [...streamed, ...whole].filter((recording) => /_tokens"|okenCount"|Tokens"/.test(recording.text));
    expect(known.length).toBeGreaterThan(30);
  });

  it.each(streamed.map((recording) => [recording.name, recording] as const))(
    'is metered from the stream %s as reported, or estimated if the stream reports none',
    (_name, recording) => {
      const frames = framesOfRecording(recording);
      const wires = frames.map(({ data }) => parseObject(data) ?? {});
      const expected = toFigures(recording, wires);
      const read = metered(recording.dialect, (meter) => {
        for (const frame of frames) meter.frame(frame);
        meter.end();
      });
      const translated = metered(recording.dialect, (meter) => {
        for (const event of toEvents(toCodec(recording).streamDecoder(here), frames)) meter.event(event);
        meter.end();
      });
      if (expected[0] + expected[1] === 0) {
        expect(read.kind).toBe('estimated');
        expect(Math.abs(read.output.total - translated.output.total)).toBeLessThanOrEqual(translated.output.total / 4);
        return;
      }
      expect([read.kind, ...totals(read)]).toEqual(['reported', ...expected]);
      const { model: _, ...figures } = read;
      expect(translated).toMatchObject(figures);
    },
  );

  it.each(whole.map((recording) => [recording.name, recording] as const))(
    'is metered from the whole answer %s as reported',
    (_name, recording) => {
      const wire = parseObject(recording.text) ?? expect.unreachable();
      const record = metered(recording.dialect, (meter) => meter.body(wire));
      expect(totals(record)).toEqual(toFigures(recording, [wire]));
      expect(record.kind).toBe('reported');
      const long = Buffer.from(recording.text + ' '.repeat(64 * 1024));
      expect(metered(recording.dialect, (meter) => meter.bytes(long))).toEqual(record);
    },
  );
});
