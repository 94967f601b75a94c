import { builtinDialects } from '../../../../plugins/dialects/builtin-dialects.ts';
import type { Dialect, Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Guardrail } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import type { AnswerEvent } from '../../../../schema/conversation/answer.ts';
import { never, neverInWindows, runStream, type StreamedResult, toBytes } from './kit.ts';

/** The word that the guardrails of both modes deny. */
export const word = 'plutonium';

export const modes: readonly { readonly mode: string; readonly guardrail: Guardrail }[] = [
  { mode: 'in windows', guardrail: neverInWindows(word) },
  { mode: 'as a whole', guardrail: never(word) },
];

/** The dialects whose streams have frames with texts. */
export const streaming: readonly { readonly id: string; readonly dialect: Dialect }[] = builtinDialects
  .filter(({ frameTexts }) => frameTexts !== undefined)
  .map((dialect) => ({ id: dialect.id, dialect }));

/** An answer without the word. */
export const harmless: readonly AnswerEvent[] = [
  { kind: 'start', id: 'a', model: 'm', created: 1 },
  { kind: 'text', choice: 0, block: 0, text: 'It is ' },
  { kind: 'text', choice: 0, block: 0, text: 'water.' },
  { kind: 'block-end', choice: 0, block: 0 },
  { kind: 'finish', choice: 0, finish: { reason: 'stop' } },
  { kind: 'usage', usage: { input: 1, output: 2 } },
  { kind: 'end' },
];

/** Sends frames of a dialect, one in each chunk, to a client of the same dialect. */
export const run = (dialect: Dialect, frames: readonly Frame[], guardrail: Guardrail): Promise<StreamedResult> =>
  runStream({
    client: dialect,
    upstream: dialect,
    chunks: frames.map((frame) => toBytes(dialect, [frame])),
    guardrails: [guardrail],
    config: { output_guardrails: [{ 'test.never': {}, deny: true }] },
  });
