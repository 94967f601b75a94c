import { isDeepStrictEqual } from 'node:util';
import { defaultResponseMembers } from '../../../../schema/conversation/response-members.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../schema/json/json.ts';
import { findObject, findText, toObjects } from '../../../../schema/json/loose.ts';

const readError = (value: Json | undefined): Json => {
  const error = findObject(value);
  return error === undefined
    ? null
    : { ...error, code: findText(error.code) ?? 'server_error', message: findText(error.message) ?? '' };
};

const readDetails = (value: Json | undefined): Json => {
  const details = findObject(value);
  return details === undefined ? null : { ...details, reason: findText(details.reason) ?? 'unknown' };
};

/**
 * Completes a response with all members that the specification requires, whatever its provider leaves out. `error` has a code and a
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

/** The prefix of ids of responses that no provider has. */
export const ownPrefix = 'gw-resp-';

/** Checks whether an id is none of a provider, in any spelling. */
export const isOwnId = (id: string): boolean => id.toLowerCase().includes(ownPrefix);

/** Checks whether a provider may be asked for an id: it is nothing that some servers read as another one, or as a path. */
export const isProviderId = (id: string): boolean => /^[\w.:~=+@-]+$/.test(id) && !/^\.+$/.test(id);

/** The request of a client, as it decides what a response says of itself. */
interface AnswerFormOptions {
  /** The client's request. */
  readonly body: JsonObject;
  readonly keeps: boolean;
  /** The id of a response that no provider keeps. */
  readonly id: string;
  /** The members of a response that is made in the background, whoever makes it: it has the id too then. */
  readonly own?: JsonObject;
}

/** The members that a response repeats of its request. A translated one says the defaults of the API. */
const repeated = [
  ...['instructions', 'max_output_tokens', 'max_tool_calls', 'metadata', 'parallel_tool_calls', 'prompt_cache_key'],
  ...['reasoning', 'safety_identifier', 'temperature', 'text', 'tool_choice', 'tools', 'top_logprobs', 'top_p'],
  ...['truncation', 'user'],
];

const merged = (own: Json | undefined, asked: Json): Json =>
  isJsonObject(own) && isJsonObject(asked) ? { ...own, ...asked } : asked;

/** The changes of the responses in one answer: of the whole one, or of those in the events of a stream. */
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
    // A provider that says so stores the response itself: only then others find it there by its id.
    if (!keeps || (own === undefined && response.store === true)) return previous;
    const said = repeated
      .filter((name) => (body[name] ?? null) !== null)
      .map((name): [string, Json] => [name, merged(response[name], body[name] ?? null)]);
    return { ...previous, ...Object.fromEntries(said), ...own, id, store: true };
  }
}

/** The members of a response that is made in the background which do not depend on its answer. */
export interface BackgroundHead {
  readonly id: string;
  /** The client's request. */
  readonly body: JsonObject;
  /** In milliseconds since the epoch. */
  readonly created: number;
}

/** Makes the form of its answer, whoever answers. */
export const backgroundForm = ({ id, body, created }: BackgroundHead): AnswerForm =>
  new AnswerForm({ id, body, keeps: true, own: { background: true, created_at: Math.floor(created / 1000) } });

/** Makes the response that has no answer yet. */
export const openResponse = (head: BackgroundHead): JsonObject =>
  backgroundForm(head).of({
    ...defaultResponseMembers,
    object: 'response',
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    model: findText(head.body.model) ?? '',
    output: [],
    service_tier: null,
    usage: null,
  });

/** Picks the items that some events have completed. */
const toItems = (events: readonly JsonObject[]): readonly JsonObject[] =>
  toObjects(events.flatMap(({ type, item = null }) => (type === 'response.output_item.done' ? [item] : [])));

/** Makes a response that was cancelled, with what it had so far. */
export const cancelledResponse = (response: JsonObject, events: readonly JsonObject[]): JsonObject => ({
  ...response,
  ...{ status: 'incomplete', incomplete_details: { reason: 'cancelled' }, output: toItems(events) },
});

/** Makes a response that no provider has answered. */
export const failedResponse = (response: JsonObject, code: string, message: string): JsonObject => ({
  ...response,
  ...{ status: 'failed', error: { code, message } },
});
