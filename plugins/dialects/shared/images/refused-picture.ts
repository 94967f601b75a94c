import { RefusedOperation } from '../../../sdk/dialect/refused-operation.ts';

/**
 * Returns the error for an image that a service's content filter has refused, as OpenAI reports it. An answer without images
 * would look as if there were none to produce.
 */
export const refusedPicture = (reason: string): RefusedOperation =>
  new RefusedOperation({
    message: `The provider's filter of contents has refused the request: ${reason}`,
    type: 'invalid_request_error',
    code: 'content_policy_violation',
    status: 400,
  });
