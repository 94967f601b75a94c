import type { UpstreamRequest } from '../../sdk/http/http.ts';
import type { AuthorizeContext } from '../../sdk/provider/provider.ts';
import { googleToken, parseServiceAccount } from '../auth/google-token.ts';
import { withHeaders } from '../auth/with-headers.ts';
import { textSetting } from '../shared/text-setting.ts';
import { withRequestProject } from './with-request-project.ts';

/** Returns the request with a token of a service account, in the account's project. `json` is the account's key file. */
export const authorizeAccount = async (
  request: UpstreamRequest,
  context: AuthorizeContext,
  json: string,
): Promise<UpstreamRequest> => {
  const account = parseServiceAccount(json);
  if (account === undefined) throw new Error('cloudb_service_account_json is not the key file of a service account.');
  const placed = withRequestProject(request, account.projectId ?? textSetting(context.settings, 'cloudb_project_id'));
  return withHeaders(placed, ['Authorization', `Bearer ${await googleToken(context, account)}`]);
};
