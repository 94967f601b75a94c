import type { JsonObject } from '../../../schema/json/json.ts';
import type { LackedContent } from '../../sdk/dialect/dialect.ts';
import type { UpstreamRequest } from '../../sdk/http/http.ts';
import { type AllowedRequest, onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import { fillModel } from '../../sdk/provider/fill-model.ts';
import { type AuthorizeContext, defineProvider, type Endpoint, type Provider } from '../../sdk/provider/provider.ts';
import { ibmToken } from '../auth/ibm-token.ts';
import { withHeaders } from '../auth/with-headers.ts';
import { customToolLosses } from '../shared/custom-tool-losses.ts';
import { hostLabel, textSetting } from '../shared/text-setting.ts';
import { withQueryMember } from '../shared/with-query-member.ts';
import { deploymentId, watsonxBody } from './watsonx-body.ts';

const id = 'watsonx';

const lacks: readonly LackedContent[] = ['document', 'stored-file', 'custom-tool'];

const versioned = (path: string, settings: JsonObject): string =>
  withQueryMember(path, 'version', textSetting(settings, 'watsonx_version') ?? '');

const chat: Endpoint = ({ model, stream, settings }) => {
  const deployment = deploymentId(model);
  const place = deployment === undefined ? '' : fillModel('/deployments/{model}', { model: deployment, provider: id });
  return versioned(`${place}/text/${stream ? 'chat_stream' : 'chat'}`, settings);
};

/** Adds a token: an API key is exchanged for one, and a token of another kind of account is sent unchanged. */
const authorize = async (request: UpstreamRequest, context: AuthorizeContext): Promise<UpstreamRequest> => {
  const { api_key: key, watsonx_token: given } = context.credential;
  if (given === undefined && key === undefined) return request;
  const token = given ?? (await ibmToken(context, key ?? ''));
  return withHeaders(request, ['Authorization', `Bearer ${token}`]);
};

/** Whether a path calls a model or a deployment. The others create and remove deployments, models and trainings. */
const allows = ({ method, segments }: AllowedRequest): boolean => {
  const [first, , third] = segments[0] === 'ml' ? segments.slice(2) : segments;
  return method === 'POST' && (first === 'text' || (first === 'deployments' && third === 'text'));
};

/** https://cloud.ibm.com/apidocs/watsonx-ai#text-chat */
export const watsonx: Provider = defineProvider({
  id,
  documentation: 'https://cloud.ibm.com/apidocs/watsonx-ai#text-chat',
  baseUrl: (settings) => `https://${hostLabel(settings, 'watsonx_region', 'us-south')}.ml.cloud.ibm.com/ml/v1`,
  credential: 'required',
  credentialFields: ['api_key', 'watsonx_token'],
  ownSettings: {
    type: 'object',
    additionalProperties: false,
    properties: {
      watsonx_region: { type: 'string', default: 'us-south', description: 'The region, such as `eu-de`.' },
      watsonx_project_id: { type: 'string', description: 'The id of the project that is charged.' },
      watsonx_space_id: { type: 'string', description: 'The id of the space that is charged, if no project is.' },
      watsonx_version: {
        type: 'string',
        default: '2024-10-08',
        description: 'The date of the API version to use.',
      },
    },
  },
  speaks: { chat },
  headers: () => [],
  authorize,
  // Its own clients include the path of the base URL, too.
  passThrough: (path, settings) => versioned(path.replace(/^\/ml\/v1(?=\/)/, ''), settings),
  // The members of a chat that it does not document.
  drop: [
    ...['parallel_tool_calls', 'service_tier', 'store', 'metadata', 'modalities', 'audio', 'prediction', 'verbosity'],
    ...['prompt_cache_key', 'safety_identifier', 'web_search_options', 'user', 'functions', 'function_call'],
  ],
  lacks: { chat: lacks },
  losses: [
    { member: 'turns.parts.media', why: 'Content that it does not accept is left out.' },
    ...customToolLosses(lacks),
  ],
  adapt: (body, dialect, settings) => (dialect === 'chat' ? watsonxBody(body, settings) : body),
  adaptsOwn: ['chat'],
  alwaysReportsUsage: true,
  // Errors are a list: `{"errors": [{"code": "…", "message": "…"}], "trace": "…", "status_code": 404}`.
  errorsVary: true,
  unconfirmed: ['stream_options', 'developers'],
  changesAccount: onlyAllows(allows),
});
