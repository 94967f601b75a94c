import { RefusedOperation } from '../../../sdk/dialect/refused-operation.ts';

/**
 * The error of a picture that a service's filter of contents has refused, as OpenAI reports it: an answer without pictures
 * would look as if there were none to make.
 */
export const refusedPicture = (reason: string): RefusedOperation =>
  new RefusedOperation({
    message: `The provider's filter of contents has refused the request: ${reason}`,
    type: 'invalid_request_error',
    code: 'content_policy_violation',
    status: 400,
  });
