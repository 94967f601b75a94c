import { isJsonObject, type JsonObject } from '../../../schema/json/json.ts';
import { findEchoText, toWords } from './find-echo-text.ts';

/** The id and the time of one answer. */
export interface EchoStamp {
  readonly id: string;
  /** Seconds since the epoch. */
  readonly created: number;
}

const readModel = (body: JsonObject): string => (typeof body.model === 'string' ? body.model : 'echo');

/** Returns the usage, which is counted in words, because the echo has no tokens. */
const readUsage = (body: JsonObject): JsonObject => {
  const words = toWords(findEchoText(body)).length;
  return { prompt_tokens: words, completion_tokens: words, total_tokens: 2 * words };
};

/** Returns the whole answer to a chat request. */
export const echoCompletion = (body: JsonObject, { id, created }: EchoStamp): JsonObject => ({
  id,
  object: 'chat.completion',
  created,
  model: readModel(body),
  choices: [
    { index: 0, message: { role: 'assistant', content: findEchoText(body) }, logprobs: null, finish_reason: 'stop' },
  ],
  usage: readUsage(body),
});

const wantsUsage = ({ stream_options: options }: JsonObject): boolean =>
  isJsonObject(options) && options.include_usage === true;

const frame = (data: string): string => `data: ${data}\n\n`;

/** Returns the answer as the events of a stream: its opening, its words, and its close. */
export const echoStream = (
  body: JsonObject,
  { id, created }: EchoStamp,
): { readonly opening: string; readonly words: readonly string[]; readonly close: string } => {
  const chunk = (members: JsonObject): string =>
    frame(JSON.stringify({ id, object: 'chat.completion.chunk', created, model: readModel(body), ...members }));
  const delta = (delta: JsonObject, finish: 'stop' | null): string =>
    chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
  return {
    opening: delta({ role: 'assistant', content: '' }, null),
    words: toWords(findEchoText(body)).map((content) => delta({ content }, null)),
    close:
      delta({}, 'stop') + (wantsUsage(body) ? chunk({ choices: [], usage: readUsage(body) }) : '') + frame('[DONE]'),
  };
};
