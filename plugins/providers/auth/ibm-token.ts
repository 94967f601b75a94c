import type { AuthorizeContext } from '../../sdk/provider/provider.ts';
import { formRequest, requestToken } from './request-token.ts';

const tokenService = 'https://iam.cloud.ibm.com/identity/token';

/**
 * Returns an access token for an API key of IBM Cloud, which is kept until it expires:
 * https://cloud.ibm.com/apidocs/iam-identity-token-api
 */
export const ibmToken = (context: Pick<AuthorizeContext, 'send' | 'now' | 'cached'>, apiKey: string): Promise<string> =>
  context.cached('ibm-token', () =>
    requestToken(
      context,
      formRequest(tokenService, { grant_type: 'urn:ibm:params:oauth:grant-type:apikey', apikey: apiKey }),
    ),
  );
