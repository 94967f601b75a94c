import { type GatewayError, gatewayError } from '../../../../../schema/errors/errors.ts';
import type { JsonReply } from '../../../../sdk/route/route-row.ts';
import type { MemberFault } from './asked-response.ts';

/** A 400 in the form of the dialect, which names the member. */
const refused = (message: string, param: string, code: string): JsonReply => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error', param, code } },
});

export const refusedMember = ({ param, reason }: MemberFault): JsonReply =>
  refused(`The member ${param} ${reason}. Correct it.`, param, 'invalid_value');

/** https://platform.openai.com/docs/guides/conversation-state */
export const unknownPrevious = (id: string): JsonReply =>
  refused(
    `Previous response with id '${id.slice(0, 255)}' not found. Send the whole conversation in input.`,
    'previous_response_id',
    'previous_response_not_found',
  );

export const unfinishedPrevious = (id: string): JsonReply =>
  refused(
    `The response '${id.slice(0, 255)}' is in progress. Wait until it has ended.`,
    'previous_response_id',
    'previous_response_in_progress',
  );

export const tooLongChain = (id: string): JsonReply =>
  refused(
    `The conversation that ends with the response '${id.slice(0, 255)}' has more responses or bytes than are put together. Send what matters of it in input.`,
    'previous_response_id',
    'conversation_too_long',
  );

/** Why a request cannot be done in the background. */
export const notInBackground = (param: string, reason: string): JsonReply =>
  refused(`A response cannot be made in the background ${reason}`, param, 'background_not_possible');

/** Of a response that was not made in the background: what cannot be done with it. */
export const onlyInBackground = (id: string, what: string): JsonReply =>
  refused(
    `The response '${id.slice(0, 255)}' cannot be ${what}, because it was not made with background: true.`,
    'response_id',
    'not_in_background',
  );

export const unknownResponse = (id: string): GatewayError =>
  gatewayError('not-found', {
    what: 'response',
    name: id.slice(0, 255),
    suggestion: 'Send the id of one that is kept, and for one that only a provider keeps, name that provider.',
  });
