import { isDeepStrictEqual } from 'node:util';
import { defaultResponseMembers } from '../../../../../schema/conversation/response-members.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../../schema/json/json.ts';
import { findObject, findText } from '../../../../../schema/json/loose.ts';

const readError = (value: Json | undefined): Json => {
  const error = findObject(value);
  if (error === undefined) return null;
  return { ...error, code: findText(error.code) ?? 'server_error', message: findText(error.message) ?? '' };
};

const readDetails = (value: Json | undefined): Json => {
  const details = findObject(value);
  return details === undefined ? null : { ...details, reason: findText(details.reason) ?? 'unknown' };
};

/**
 * A response with all members that the specification requires, whatever its provider leaves out. `error` has a code and a
 * message and `incomplete_details` a reason, or they are null, as OpenAI has them and its clients need them: these take any
 * object for an error.
 */
export const specifiedResponse = (response: JsonObject): JsonObject => ({
  ...defaultResponseMembers,
  ...response,
  metadata: findObject(response.metadata) ?? {},
  error: readError(response.error),
  incomplete_details: readDetails(response.incomplete_details),
});

/** How ids of responses begin that no provider has. */
export const ownPrefix = 'gw-resp-';

/** Whether an id is none of a provider, however somebody writes it. */
export const isOwnId = (id: string): boolean => id.toLowerCase().includes(ownPrefix);

/** Whether a provider may be asked for an id: it is nothing that some servers read as another one, or as a path. */
export const isProviderId = (id: string): boolean => /^[\w.:~=+@-]+$/.test(id) && !/^\.+$/.test(id);

/** What a client asked for, as it decides what a response says of itself. */
interface AnswerFormOptions {
  /** The client's request. */
  readonly body: JsonObject;
  readonly keeps: boolean;
  /** The id of a response that no provider keeps. */
  readonly id: string;
  /** What a response that is made in the background says, whoever makes it: it has the id too then. */
  readonly own?: JsonObject;
}

/** What a response repeats of its request. A translated one says the defaults of the API. */
const repeated = [
  ...['instructions', 'max_output_tokens', 'max_tool_calls', 'metadata', 'parallel_tool_calls', 'prompt_cache_key'],
  ...['reasoning', 'safety_identifier', 'temperature', 'text', 'tool_choice', 'tools', 'top_logprobs', 'top_p'],
  ...['truncation', 'user'],
];

const merged = (own: Json | undefined, asked: Json): Json =>
  isJsonObject(own) && isJsonObject(asked) ? { ...own, ...asked } : asked;

/** Whether the provider keeps a response: only then others find it there by its id. */
const isNative = ({ store }: JsonObject): boolean => store === true;

/** What changes of the responses in one answer: of the whole one, or of those in the events of a stream. */
export class AnswerForm {
  readonly #options: AnswerFormOptions;

  constructor(options: AnswerFormOptions) {
    this.#options = options;
  }

  /** The response as its client gets it; the same object if nothing changes. */
  of(response: JsonObject): JsonObject {
    const changes = this.#changes(response);
    const isSame = Object.entries(changes).every(([name, value]) => isDeepStrictEqual(response[name], value));
    return isSame ? response : { ...response, ...changes };
  }

  #changes(response: JsonObject): JsonObject {
    const { body, keeps, id, own } = this.#options;
    const previous: JsonObject =
      (body.previous_response_id ?? null) === null ? {} : { previous_response_id: body.previous_response_id ?? null };
    if (!keeps || (own === undefined && isNative(response))) return previous;
    const said = repeated
      .filter((name) => (body[name] ?? null) !== null)
      .map((name): [string, Json] => [name, merged(response[name], body[name] ?? null)]);
    return { ...previous, ...Object.fromEntries(said), ...own, id, store: true };
  }
}
