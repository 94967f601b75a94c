import { fromJson } from '../../../../schema/json/from-json.ts';
import type { Writable } from '../../../../schema/json/writable.ts';
import type { InputTokens, OutputTokens, UsageRecord } from '../../../../schema/usage/usage-record.ts';
import type { NoteReader, NoteWriter } from './note-writer.ts';

/** The members that a usage record has beside those that all have, as bits of two bytes. */
const tokens = {
  tier: 1,
  cacheRead: 2,
  cacheWrite: 4,
  inputAudio: 8,
  inputImage: 16,
  reasoning: 32,
  outputAudio: 64,
  outputImage: 128,
} as const;
const others = { hitRate: 1, calls: 2, cost: 4 } as const;

const bit = (value: unknown, is: number): number => (value === undefined ? 0 : is);

/** Writes what a record says of usage: the members that `usageValues` has. */
export const writeUsage = (to: NoteWriter, usage: UsageRecord): void => {
  const { kind, model, tier, input, output, cacheHitRate, calls, cost } = usage;
  to.small(
    bit(tier, tokens.tier) |
      bit(input.cacheRead, tokens.cacheRead) |
      bit(input.cacheWrite, tokens.cacheWrite) |
      bit(input.audio, tokens.inputAudio) |
      bit(input.image, tokens.inputImage) |
      bit(output.reasoning, tokens.reasoning) |
      bit(output.audio, tokens.outputAudio) |
      bit(output.image, tokens.outputImage),
  );
  to.small(bit(cacheHitRate, others.hitRate) | bit(calls, others.calls) | bit(cost, others.cost));
  to.name(kind).name(model).number(input.total);
  if (input.cacheRead !== undefined) to.number(input.cacheRead);
  if (input.cacheWrite !== undefined) to.name(JSON.stringify(input.cacheWrite));
  if (input.audio !== undefined) to.number(input.audio);
  if (input.image !== undefined) to.number(input.image);
  to.number(output.total);
  if (output.reasoning !== undefined) to.number(output.reasoning);
  if (output.audio !== undefined) to.number(output.audio);
  if (output.image !== undefined) to.number(output.image);
  if (tier !== undefined) to.name(tier);
  if (cacheHitRate !== undefined) to.number(cacheHitRate);
  if (calls !== undefined) to.name(JSON.stringify(calls));
  if (cost !== undefined) to.number(cost.nanoUsd).name(cost.prices);
};

const readInput = (from: NoteReader, presence: number): InputTokens => {
  const input: Writable<InputTokens> = { total: from.number() };
  if (presence & tokens.cacheRead) input.cacheRead = from.number();
  if (presence & tokens.cacheWrite) input.cacheWrite = fromJson(from.text());
  if (presence & tokens.inputAudio) input.audio = from.number();
  if (presence & tokens.inputImage) input.image = from.number();
  return input;
};

const readOutput = (from: NoteReader, presence: number): OutputTokens => {
  const output: Writable<OutputTokens> = { total: from.number() };
  if (presence & tokens.reasoning) output.reasoning = from.number();
  if (presence & tokens.outputAudio) output.audio = from.number();
  if (presence & tokens.outputImage) output.image = from.number();
  return output;
};

/** Reads usage. Each attempt has one: members are added to it, because spreading them takes several times as long. */
export const readUsage = (from: NoteReader): UsageRecord => {
  const counted = from.small();
  const presence = from.small();
  const usage: Writable<UsageRecord> = {
    kind: from.text() as UsageRecord['kind'],
    model: from.text(),
    input: readInput(from, counted),
    output: readOutput(from, counted),
  };
  if (counted & tokens.tier) usage.tier = from.text();
  if (presence & others.hitRate) usage.cacheHitRate = from.number();
  if (presence & others.calls) usage.calls = fromJson(from.text());
  if (presence & others.cost) usage.cost = { nanoUsd: from.number(), prices: from.text() };
  return usage;
};
