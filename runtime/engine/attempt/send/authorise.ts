import type { Scope, UpstreamFailure, UpstreamRequest } from '../../../../plugins/sdk/http/http.ts';
import { areSendable } from '../../../../plugins/sdk/http/sendable-headers.ts';
import { areHeaders } from '../../../../plugins/sdk/provider/provider-settings.ts';
import { withoutSecrets } from '../../../../plugins/sdk/provider/without-secrets.ts';
import { type ErrorReport, errorReport, GatewayError } from '../../../../schema/errors/errors.ts';
import { errorText } from '../../../../schema/text/error-text.ts';
import { toSentence } from '../../../../schema/text/to-sentence.ts';
import type { LinkContext } from '../../call/context.ts';
import { curableReport } from '../../error-responses/curable-report.ts';
import { isRequest } from '../../plugins/given-answers.ts';
import type { PreparedTarget } from '../../target/prepared-target.ts';
import { authorizeContext } from './authorize-context.ts';

export interface Authorisation {
  readonly target: PreparedTarget;
  readonly scope: Scope;
  readonly context: LinkContext;
}

/**
 * Returns the report of an error. A provider may report itself what is wrong; anything else that it throws is an error of the
 * credential.
 */
const toReport = (error: unknown, { provider, secrets }: PreparedTarget): ErrorReport => {
  if (error instanceof GatewayError) return curableReport(error);
  const reason = toSentence(withoutSecrets(errorText(error), secrets));
  return errorReport('authorization-failed', { provider: provider.id, reason });
};

/**
 * Checks the request that `authorize` returned. The request from before must not be sent in its place, because it is not signed.
 * Throws an `Error` if it is not a request, or HTTP cannot carry its headers.
 */
const checkedSigned = (given: UpstreamRequest): UpstreamRequest => {
  if (!isRequest(given)) throw new Error('its "authorize" returned something other than a request');
  if (areHeaders(given.headers) && areSendable(given.headers)) return given;
  throw new Error('its "authorize" returned headers that HTTP cannot carry');
};

/**
 * Returns the request as signed by its provider, or why the provider cannot sign it. That is the answer of this attempt, so that
 * another target may serve.
 */
export const authorise = async (
  request: UpstreamRequest,
  { target, scope, context }: Authorisation,
): Promise<UpstreamRequest | UpstreamFailure> => {
  const { provider } = target;
  if (provider.authorize === undefined) return request;
  try {
    return checkedSigned(await provider.authorize(request, authorizeContext(target, scope, context)));
  } catch (error) {
    return { kind: 'failure', error: toReport(error, target) };
  }
};
