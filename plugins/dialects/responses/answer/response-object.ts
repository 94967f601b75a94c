import type { Usage } from '../../../../schema/conversation/conversation.ts';
import { defaultResponseMembers, repeatedMembers } from '../../../../schema/conversation/response-members.ts';
import type { Json, JsonObject } from '../../../../schema/json/json.ts';
import { encodeUsage } from './usage.ts';

export interface ResponseHead {
  readonly id: string;
  readonly model: string;
  readonly created: number;
}

export interface ResponseState {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly output: readonly JsonObject[];
  /** The reason why it is incomplete. */
  readonly reason?: string | undefined;
  readonly error?: JsonObject;
  readonly usage?: Usage | undefined;
}

/** Returns the usage, which is known only once a response has ended. */
const usageAt = (status: ResponseState['status'], usage: Usage | undefined): Json =>
  status === 'completed' || status === 'incomplete' ? encodeUsage(usage) : null;

/** Returns the members that are the same for as long as a response is written: those of its request, or else the defaults. */
export const constantMembers = (request: JsonObject = {}): JsonObject => ({
  ...defaultResponseMembers,
  ...repeatedMembers(request),
});

/** Returns the other members: https://platform.openai.com/docs/api-reference/responses/object */
export const stateMembers = (
  { id, model, created }: ResponseHead,
  { status, output, reason, error, usage }: ResponseState,
): JsonObject => ({
  id,
  object: 'response',
  created_at: created,
  status,
  error: error ?? null,
  incomplete_details: reason === undefined ? null : { reason },
  model,
  output,
  service_tier: usage?.tier ?? null,
  usage: usageAt(status, usage),
  // The gateway stores no responses, whatever the provider does.
  store: false,
});
