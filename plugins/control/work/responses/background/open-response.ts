import { defaultResponseMembers } from '../../../../../schema/conversation/response-members.ts';
import type { JsonObject } from '../../../../../schema/json/json.ts';
import { findText, toObjects } from '../../../../../schema/json/loose.ts';
import { AnswerForm } from '../stored/answer-form.ts';

/** What of a response that is made in the background does not depend on its answer. */
export interface BackgroundHead {
  readonly id: string;
  /** The client's request. */
  readonly body: JsonObject;
  /** In milliseconds since the epoch. */
  readonly created: number;
}

const ownMembers = ({ created }: BackgroundHead): JsonObject => ({
  background: true,
  created_at: Math.floor(created / 1000),
});

/** The form of its answer, whoever makes that. */
export const backgroundForm = (head: BackgroundHead): AnswerForm =>
  new AnswerForm({ body: head.body, keeps: true, id: head.id, own: ownMembers(head) });

/** The response before there is an answer. */
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

/** The items that some events have completed. */
const toItems = (events: readonly JsonObject[]): readonly JsonObject[] =>
  toObjects(events.flatMap(({ type, item = null }) => (type === 'response.output_item.done' ? [item] : [])));

/** A response that was cancelled, with what it had so far. */
export const cancelledResponse = (response: JsonObject, events: readonly JsonObject[]): JsonObject => ({
  ...response,
  ...{ status: 'incomplete', incomplete_details: { reason: 'cancelled' }, output: toItems(events) },
});

/** A response that no provider has answered. */
export const failedResponse = (response: JsonObject, code: string, message: string): JsonObject => ({
  ...response,
  ...{ status: 'failed', error: { code, message } },
});
