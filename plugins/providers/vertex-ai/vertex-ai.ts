import { gatewayError } from '../../../schema/errors.ts';
import type { RawHeaders } from '../../sdk/http.ts';
import { type Credential, defineProvider, type Provider } from '../../sdk/provider.ts';
import { withSystemRoles } from '../as-system.ts';
import { googleToken, parseServiceAccount, type ServiceAccount } from '../auth/google-token.ts';
import { withHeaders } from '../auth/with-headers.ts';
import { bearer } from '../bearer.ts';
import { claudeScope, isClaude } from '../claude-scope.ts';
import { withOwnVersion } from '../own-version.ts';
import { textSetting } from '../text-setting.ts';
import { vertexModel } from './vertex-model.ts';
import { chatPath, geminiPath, id, messagesPath, vertexOrigin, withProject } from './vertex-paths.ts';
import { withoutCallIds } from './without-call-ids.ts';

/** https://docs.claude.com/en/api/claude-on-vertex-ai */
const anthropicVersion = 'vertex-2023-10-16';

const dialects: Readonly<Record<string, readonly string[]>> = {
  google: ['gemini'],
  anthropic: ['messages'],
  endpoints: ['chat', 'gemini'],
};

const accountOf = ({ cloudb_service_account_json: json }: Credential): ServiceAccount | undefined => {
  if (json === undefined) return undefined;
  const account = parseServiceAccount(json);
  if (account === undefined) throw new Error('cloudb_service_account_json is not the key file of a service account.');
  return account;
};

/** https://cloud.google.com/vertex-ai/generative-ai/docs/provisioned-throughput/use-provisioned-throughput */
const requestType = (type: string | undefined): RawHeaders =>
  type === undefined ? [] : ['X-Vertex-AI-LLM-Request-Type', type];

/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference */
export const vertexAi: Provider = defineProvider({
  id,
  aliases: ['cloudb'],
  listedAs: 'google',
  documentation: 'https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference',
  baseUrl: vertexOrigin,
  credential: 'required',
  credentialFields: ['api_key', 'cloudb_service_account_json'],
  settings: ['cloudb_project_id', 'cloudb_region', 'cloudb_request_type'],
  speaks: { gemini: geminiPath, messages: messagesPath, chat: chatPath },
  dialectsOf: (model) => dialects[vertexModel(model ?? '').publisher] ?? ['chat'],
  bodyModel(model) {
    const { publisher, name } = vertexModel(model);
    if (publisher === 'endpoints') return '';
    return ['google', 'anthropic', 'mistralai'].includes(publisher) ? name : `${publisher}/${name}`;
  },
  clientHeaders: ['anthropic-beta'],
  headers: (credential, settings) => [
    ...(credential.cloudb_service_account_json === undefined ? bearer(credential) : []),
    ...requestType(textSetting(settings, 'cloudb_request_type')),
  ],
  async authorize(request, context) {
    const { credential, settings } = context;
    const account = accountOf(credential);
    const path = withProject(request.path, account?.projectId ?? textSetting(settings, 'cloudb_project_id'));
    if (path === undefined)
      throw gatewayError('missing-base-url', { provider: id, reason: 'cloudb_project_id is missing.' });
    const placed = { ...request, path };
    if (account === undefined) return placed;
    return withHeaders(placed, ['Authorization', `Bearer ${await googleToken(context, account)}`]);
  },
  stateScope: ({ fingerprint, model }) => (isClaude(model) ? claudeScope : `${id} ${fingerprint}`),
  passThrough: withOwnVersion,
  // Google answers for its partners' models too, in a form of its own.
  errorsVary: true,
  adaptsOwn: ['messages', 'gemini'],
  adapt(body, dialect) {
    if (dialect === 'gemini') return withoutCallIds(body);
    if (dialect !== 'messages') return withSystemRoles(body);
    const { model: _, ...rest } = body;
    return { ...rest, anthropic_version: anthropicVersion };
  },
});
