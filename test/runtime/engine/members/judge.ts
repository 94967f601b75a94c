import { cohere } from '../../../../plugins/dialects/cohere/cohere.ts';
import { converse } from '../../../../plugins/dialects/converse/converse.ts';
import { gemini } from '../../../../plugins/dialects/gemini/gemini.ts';
import { messages } from '../../../../plugins/dialects/messages/messages.ts';
import type { Dialect, Frame } from '../../../../plugins/sdk/dialect/dialect.ts';
import type { Guardrail } from '../../../../plugins/sdk/guardrail/guardrail.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { runConfig } from '../../../support/in-process/run-config.ts';
import { sampleExchange } from '../../../support/in-process/sample-exchange.ts';
import { stubAnswer } from '../../../support/in-process/stub-upstreams.ts';
import { speaking } from '../../../support/plugins/speaking.ts';
import { runStream, runWhole, type StreamedResult, toBytes } from '../stream-stages/kit.ts';

/** The word that no request and no answer may contain. */
export const word = 'plutonium';

const never = { 'default.regexMatch': { rule: word, not: true }, deny: true };

/** The dialects whose members are judged in this folder. */
export const dialects: Readonly<Record<'messages' | 'gemini' | 'converse' | 'cohere', Dialect>> = {
  messages,
  gemini,
  converse,
  cohere,
};

/** An answer without the word, for each dialect. */
const harmless: Readonly<Record<keyof typeof dialects, JsonObject>> = {
  messages: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'ok' }] },
  gemini: { candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'ok' }] }, finishReason: 'STOP' }] },
  converse: { output: { message: { role: 'assistant', content: [{ text: 'ok' }] } }, stopReason: 'end_turn' },
  cohere: {
    id: 'c',
    finish_reason: 'COMPLETE',
    message: { role: 'assistant', content: [{ type: 'text', text: 'ok' }] },
  },
};

/** Returns the status of a request in a dialect with this body, if an input check denies the word. */
export const statusOfRequest = async (id: keyof typeof dialects, body: JsonObject): Promise<number> => {
  const dialect = dialects[id];
  const { handle } = runConfig(
    { provider: 'speaker', input_guardrails: [never] },
    { upstream: () => stubAnswer(harmless[id]), plugins: [speaking(dialect)] },
  );
  const { status } = await handle(
    sampleExchange(body, { route: { operation: dialect.operation, dialect: id, model: 'm', stream: false } }),
  );
  return status;
};

/** Returns the status of a whole answer, for a client of its own dialect or of another. */
export const statusOfAnswer = async (
  id: keyof typeof dialects,
  answer: JsonObject,
  client: Dialect = dialects[id],
): Promise<number> => {
  const upstream = dialects[id];
  const { status } = await runWhole({
    client,
    upstream,
    answer,
    guardrails: [],
    config: { output_guardrails: [never] },
  });
  return status;
};

/** Returns what a client receives of a stream with these frames if an output check judges it. */
export const readStream = (
  id: keyof typeof dialects,
  frames: readonly Frame[],
  guardrail: Guardrail,
): Promise<StreamedResult> =>
  runStream({
    client: dialects[id],
    upstream: dialects[id],
    chunks: [toBytes(dialects[id], frames)],
    guardrails: [guardrail],
    config: { output_guardrails: [{ [guardrail.id]: {}, deny: true }] },
  });
