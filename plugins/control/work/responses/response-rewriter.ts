import { isDeepStrictEqual } from 'node:util';
import { defaultResponseMembers, repeatedMembers } from '../../../../schema/conversation/response-members.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
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
 * Completes a response with all members that the specification requires, whatever its provider omits. `error` has a code and a
 * message, and `incomplete_details` has a reason, or they are null, as with OpenAI: its clients treat any object as an error.
 */
export const completeResponse = (response: JsonObject): JsonObject => ({
  ...defaultResponseMembers,
  ...response,
  metadata: findObject(response.metadata) ?? {},
  error: readError(response.error),
  incomplete_details: readDetails(response.incomplete_details),
});

/** The prefix of ids of responses that no provider has. */
export const ownPrefix = 'gw-resp-';

/** Checks whether an id is one of the gateway, in any spelling. */
export const isOwnId = (id: string): boolean => id.toLowerCase().includes(ownPrefix);

/** Checks whether an id may be sent to a provider: no server reads it as another id or as a path. */
export const isProviderId = (id: string): boolean => /^[\w.:~=+@-]+$/.test(id) && !/^\.+$/.test(id);

/** The parts of a client's request that affect what its response contains. */
interface AnswerFormOptions {
  /** The client's request. */
  readonly body: JsonObject;
  readonly keeps: boolean;
  /** The id of a response that no provider stores. */
  readonly id: string;
  /** The members of a response that is made in the background, whichever provider makes it. It then has the id as well. */
  readonly own?: JsonObject;
}

/** Changes the responses in one answer: the whole one, or those in the events of a stream. */
export class ResponseRewriter {
  readonly #options: AnswerFormOptions;

  constructor(options: AnswerFormOptions) {
    this.#options = options;
  }

  /** Returns the response as its client gets it; the same object if nothing changes. */
  of(response: JsonObject): JsonObject {
    const changes = this.#changes(response);
    const isSame = Object.entries(changes).every(([name, value]) => isDeepStrictEqual(response[name], value));
    return isSame ? response : { ...response, ...changes };
  }

  #changes(response: JsonObject): JsonObject {
    const { body, keeps, id, own } = this.#options;
    const previous: JsonObject =
      (body.previous_response_id ?? null) === null ? {} : { previous_response_id: body.previous_response_id ?? null };
    // A provider that reports this stores the response itself. Only then can it be found there by its id.
    if (!keeps || (own === undefined && response.store === true)) return previous;
    return { ...previous, ...repeatedMembers(body, response), ...own, id, store: true };
  }
}

/** The members of a background response that do not depend on its answer. */
export interface BackgroundHead {
  readonly id: string;
  /** The client's request. */
  readonly body: JsonObject;
  /** When it was created, in milliseconds since the epoch. */
  readonly created: number;
}

/** Creates the form of its answer, whichever provider answers. */
export const backgroundForm = ({ id, body, created }: BackgroundHead): ResponseRewriter =>
  new ResponseRewriter({ id, body, keeps: true, own: { background: true, created_at: Math.floor(created / 1000) } });

/** Creates the response while it has no answer yet. */
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

/** Creates a cancelled response with the items that it had so far. */
export const cancelledResponse = (response: JsonObject, events: readonly JsonObject[]): JsonObject => ({
  ...response,
  ...{ status: 'incomplete', incomplete_details: { reason: 'cancelled' }, output: toItems(events) },
});

/** Creates a response that no provider has answered. */
export const failedResponse = (response: JsonObject, code: string, message: string): JsonObject => ({
  ...response,
  ...{ status: 'failed', error: { code, message } },
});
