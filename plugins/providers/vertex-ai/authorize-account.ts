import { GatewayError, gatewayError } from '../../../schema/errors/errors.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import type { UpstreamRequest } from '../../sdk/http/http.ts';
import type { AuthorizeContext } from '../../sdk/provider/provider.ts';
import { googleToken, parseServiceAccount } from '../auth/google-token.ts';
import { withHeaders } from '../auth/with-headers.ts';
import { textSetting } from '../shared/text-setting.ts';
import { id } from './vertex-paths.ts';
import { withRequestProject } from './with-request-project.ts';

/**
 * Returns the request with a token of a service account, in the account's project. `json` is the account's key file. Throws only
 * a `GatewayError`, because pieces of the credential are masked in the messages of other errors: a key file contains the address
 * of the token service and the names of its own members, but no message contains a part of the key.
 */
export const authorizeAccount = async (
  request: UpstreamRequest,
  context: AuthorizeContext,
  json: string,
): Promise<UpstreamRequest> => {
  try {
    const account = parseServiceAccount(json);
    if (account === undefined) throw new Error('cloudb_service_account_json is not the key file of a service account.');
    const placed = withRequestProject(request, account.projectId ?? textSetting(context.settings, 'cloudb_project_id'));
    return withHeaders(placed, ['Authorization', `Bearer ${await googleToken(context, account)}`]);
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    throw gatewayError('authorization-failed', { provider: id, reason: errorText(error) });
  }
};
