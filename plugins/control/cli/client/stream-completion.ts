import { createParser } from 'eventsource-parser';
import { isJsonObject, type Json } from '../../../../schema/json/json.ts';
import { parseJson } from '../../../../schema/json/parse-json.ts';
import { RefusalError, toRefusal } from './api-refusal.ts';
import { type ApiRequest, askGateway } from './ask-gateway.ts';
import type { ControlPlane } from './control-plane.ts';

const member = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) ? value[name] : undefined;

/** The text of the first choice in a chat completion, a completion, or a chunk of either; empty if it has none. */
const completionText = (value: Json): string => {
  const choices = member(value, 'choices');
  const first = Array.isArray(choices) ? choices[0] : undefined;
  const said = member(first, 'delta') ?? member(first, 'message');
  const text = member(said, 'content') ?? member(first, 'text');
  return typeof text === 'string' ? text : '';
};

/** A model may think for long before it says anything. */
export const completionSilentMs = 600_000;

/** The text in an event, or in a whole answer. Throws a `RefusalError` for one that tells an error. */
const toText = (value: Json | undefined, status: number): string => {
  if (value === undefined) return '';
  if (isJsonObject(value) && isJsonObject(value.error)) throw new RefusalError(toRefusal(status, value));
  return completionText(value);
};

const readText = async (answer: Response, write: (text: string) => void): Promise<void> => {
  const { status } = answer;
  if (answer.headers.get('content-type')?.includes('text/event-stream') !== true) {
    write(toText(parseJson(await answer.text()), status));
    return;
  }
  const parser = createParser({
    // The last event, [DONE], is no JSON.
    onEvent: ({ data }) => write(toText(parseJson(data), status)),
  });
  const decoder = new TextDecoder();
  for await (const part of answer.body ?? []) parser.feed(decoder.decode(part, { stream: true }));
};

/** Asks for a completion, and writes its text as it comes. Rejects as `askGateway` does, also for an error amid the text. */
export const streamCompletion = (
  { access }: ControlPlane,
  request: ApiRequest,
  write: (text: string) => void,
): Promise<void> =>
  askGateway(access, { request, silentMs: completionSilentMs, read: (answer) => readText(answer, write) });
