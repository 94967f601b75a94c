import type { JsonObject } from '../../../schema/json/json.ts';
import type { RawHeaders, UpstreamRequest } from '../../sdk/http/http.ts';
import { onlyAllows } from '../../sdk/provider/account-changes/only-allows.ts';
import { fillModel } from '../../sdk/provider/fill-model.ts';
import { type AuthorizeContext, defineProvider, type Endpoint, type Provider } from '../../sdk/provider/provider.ts';
import { awsKeys } from '../auth/aws-keys.ts';
import { awsOrigin } from '../auth/aws-origin.ts';
import { awsRegion, usesAwsKeys } from '../auth/aws-target.ts';
import { signWithKeys } from '../auth/sign-with-keys.ts';
import { withHeaders } from '../auth/with-headers.ts';
import { chatWithSystemRoles, developerMarks } from '../shared/as-system.ts';
import { bearer } from '../shared/bearer.ts';
import { settingHeader } from '../shared/setting-header.ts';
import { bearerToken } from './bearer-token.ts';

const id = 'sagemaker';

/** https://docs.aws.amazon.com/sagemaker/latest/APIReference/API_runtime_InvokeEndpoint.html */
const maxBytes = 25_000_000;

/** The settings that are sent as headers of calls, without the common prefix of their names. */
const callSettings = {
  custom_attributes: 'Additional data for the container, in at most 1024 characters.',
  target_model: 'The model to call if an endpoint has several: the name of its file, such as `model-a.tar.gz`.',
  target_variant: 'The production variant to call.',
  target_container_hostname: 'The container to call if an endpoint has several.',
  inference_id: 'The id of the call in the data that SageMaker captures.',
  enable_explanations: 'An expression that selects the records that Clarify explains.',
  inference_component: 'The inference component to call.',
  session_id: 'The id of a stateful session, or `NEW_SESSION`.',
} as const;

const prefix = 'amzn_sagemaker_';

const callHeaders = (settings: JsonObject): RawHeaders =>
  Object.keys(callSettings).flatMap((name) =>
    settingHeader(settings, prefix + name, `X-Amzn-SageMaker-${name.replaceAll('_', '-')}`),
  );

/** A model is an endpoint, with an inference component behind a slash if the endpoint has several: `llms/llama`. */
const chat: Endpoint = ({ model = '' }) => {
  const [endpoint, component] = model.split(/\/(.*)/s);
  const place = fillModel('/endpoints/{model}', { model: endpoint, provider: id });
  const inside =
    component === undefined ? '' : fillModel('/inference-components/{model}', { model: component, provider: id });
  return `${place}${inside}/openai/v1/chat/completions`;
};

const followsOpenai = (path: string): boolean => /\/endpoints\/[^?]+\/openai\/v1\//.test(path);

/** Paths that follow OpenAI require a bearer token, all others a signature. */
const authorize = async (request: UpstreamRequest, context: AuthorizeContext): Promise<UpstreamRequest> => {
  const { credential, settings } = context;
  if (!usesAwsKeys(credential, settings)) return request;
  if (!followsOpenai(request.path)) return signWithKeys(request, context, { service: id, maxBytes });
  const token = bearerToken(await awsKeys(context), { region: awsRegion(settings), now: context.now() });
  return withHeaders(request, ['Authorization', `Bearer ${token}`]);
};

/** https://docs.aws.amazon.com/sagemaker/latest/dg/realtime-endpoints-openai-compatible.html */
export const sagemaker: Provider = defineProvider({
  id,
  documentation: 'https://docs.aws.amazon.com/sagemaker/latest/dg/realtime-endpoints-openai-compatible.html',
  baseUrl: (settings) => awsOrigin('runtime.sagemaker', awsRegion(settings)),
  credential: 'required',
  credentialFields: ['api_key', 'cloudc_access_key_id', 'cloudc_secret_access_key', 'cloudc_session_token'],
  settings: ['cloudc_region', 'cloudc_role_arn', 'cloudc_external_id', 'cloudc_auth_type'],
  ownSettings: {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(callSettings).map(([name, description]) => [prefix + name, { type: 'string', description }]),
    ),
  },
  speaks: { chat },
  // The path names the endpoint, which servers such as vLLM do not know as a model.
  bodyModel: () => '',
  headers: (credential, settings) => [
    ...(usesAwsKeys(credential, settings) ? [] : bearer(credential)),
    ...callHeaders(settings),
  ],
  authorize,
  adapt: chatWithSystemRoles,
  adaptsMarked: developerMarks,
  // The servers behind it have their own errors, and so does SageMaker: `{"Message": "…"}`.
  errorsVary: true,
  unconfirmed: ['drop', 'lacks', 'developers', 'stream_options', 'errors'],
  changesAccount: onlyAllows(({ method, segments: [first] }) => method === 'POST' && first === 'endpoints'),
});
