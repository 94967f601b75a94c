import type { CallerOverrides } from '../../../plugins/sdk/exchange/exchange.ts';
import { awsSignatureHeaders, sessionCookies } from '../../../schema/credentials/credential-headers.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';
import type { Json } from '../../../schema/json/json.ts';
import type { CallerHeaders } from './caller-headers.ts';
import {
  asBaggage,
  asBearer,
  asCost,
  asDeadline,
  asFlag,
  asHeaderNames,
  asHost,
  asLabels,
  asLowerCaseNames,
  asMilliseconds,
  asObject,
  asPem,
  asText,
  type HeaderParser,
} from './header-parsers.ts';
import { unservedHeaders } from './reserved-headers.ts';

/**
 * The treatment of several lines of one header. `refused`: they must not differ, because a reader of another line would read
 * another request. `joined`: they form one list. `first`: the first counts, and HTTP itself or the provider judges the others.
 */
type Repetition = 'refused' | 'joined' | 'first';

/** A header that the gateway reads. */
export interface HeaderRow {
  /** In lower case. Clients may spell it in any case. */
  readonly name: string;
  readonly repeated: Repetition;
  take(caller: CallerHeaders, text: string): void;
}

type Own = Exclude<
  keyof CallerHeaders,
  | 'overrides'
  | 'settings'
  | 'accepted'
  | 'problem'
  | 'ambiguity'
  | 'removed'
  | 'renamed'
  | 'credentialHeader'
  | 'otherCredentials'
  | 'keyPlace'
  | 'cookies'
  | 'chunked'
  | 'hasBody'
  | 'expectsContinue'
  | 'asksForWebSocket'
  | 'contentEncoding'
  | 'metadata'
>;

const row = <Field extends Own>(
  name: string,
  { field, parse }: { readonly field: Field; readonly parse: HeaderParser<NonNullable<CallerHeaders[Field]>> },
): HeaderRow => ({
  name,
  repeated: name.startsWith('x-gw-') ? 'refused' : 'first',
  take: (caller, text) => {
    if (caller[field] !== undefined) return;
    const value = parse(text, name);
    if (value !== undefined) caller[field] = value;
  },
});

const override = <Field extends keyof CallerOverrides>(
  name: string,
  { field, parse }: { readonly field: Field; readonly parse: HeaderParser<NonNullable<CallerOverrides[Field]>> },
): HeaderRow => ({
  name,
  repeated: 'refused',
  take: ({ overrides }, text) => {
    if (overrides[field] !== undefined) return;
    const value = parse(text, name);
    if (value !== undefined) overrides[field] = value;
  },
});

/** Returns the row of a header with names of headers, several lines of which are one list. */
const names = (
  name: string,
  field: 'forwardHeaders' | 'sensitiveHeaders',
  parse: HeaderParser<readonly string[]>,
): HeaderRow => ({
  name,
  repeated: 'joined',
  take: ({ overrides }, text) => {
    const value = parse(text, name);
    if (value !== undefined) overrides[field] = [...(overrides[field] ?? []), ...value];
  },
});

const setting = (name: string, field: string, parse: HeaderParser<Json> = asText): HeaderRow => ({
  name,
  repeated: 'refused',
  take: (caller, text) => {
    const value = parse(text, name);
    if (value === undefined) return;
    caller.settings ??= {};
    caller.settings[field] ??= value;
  },
});

const remove = (caller: CallerHeaders, name: string): void => {
  caller.removed ??= [];
  caller.removed.push(name);
};

/** Returns the row of a header for another recipient than any provider of this request. */
const removed = (name: string): HeaderRow => ({ name, repeated: 'first', take: (caller) => remove(caller, name) });

/** Returns the row of a provider's header under one of the gateway's names, for clients that only send those. */
const renamed = (name: string, own: string): HeaderRow => ({
  name,
  repeated: 'refused',
  take: (caller, text) => {
    if (text === '' || caller.renamed?.includes(own) === true) return;
    caller.renamed ??= [];
    caller.renamed.push(own, text);
  },
});

/** Returns the row of a header that only tracing reads. */
const ofTrace = (name: string): HeaderRow => ({ name, repeated: 'refused', take: () => {} });

const keepOther = (caller: CallerHeaders, text: string | undefined): void => {
  if (text === undefined || text === '') return;
  caller.otherCredentials ??= [];
  caller.otherCredentials.push(text);
};

/** Returns the row of a setting whose header lacks the prefix that keeps the others from providers. */
const unprefixedSetting = (name: string, field: string): HeaderRow => {
  const row = setting(name, field);
  return {
    ...row,
    take: (caller, text) => {
      remove(caller, name);
      row.take(caller, text);
    },
  };
};

/** Returns the row of a header in which clients send their credential. `authorization` takes precedence over all others. */
export const credentialRow = (name: string, { isRemoved }: { readonly isRemoved: boolean }): HeaderRow => ({
  name,
  repeated: 'refused',
  take: (caller, text) => {
    if (isRemoved) remove(caller, name);
    if (text === '') return;
    if (caller.overrides.credential !== undefined) {
      keepOther(caller, text);
      return;
    }
    caller.overrides.credential = text;
    caller.credentialHeader = name;
  },
});

/** Returns the row of a credential header that no dialect declares. It is not read as a credential, but can be forwarded. */
export const unreadCredentialRow = (name: string): HeaderRow => ({ name, repeated: 'refused', take: keepOther });

const authorization = 'authorization';

/**
 * An AWS signature is valid only for the request that the client sent, and proves its key only to AWS. It is not a credential
 * that a provider could use (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html).
 */
const authorizationRow: HeaderRow = {
  name: authorization,
  repeated: 'refused',
  take: (caller, text) => {
    if (/^aws4-/i.test(text.trimStart())) remove(caller, authorization);
    const token = asBearer(text, authorization);
    if (token === undefined || caller.credentialHeader === authorization) return;
    keepOther(caller, caller.overrides.credential);
    caller.overrides.credential = token;
    caller.credentialHeader = authorization;
  },
};

/**
 * The beginning of the subprotocol in which browsers, which cannot set other headers of a WebSocket, send a key:
 * https://platform.openai.com/docs/guides/realtime-websocket
 */
const keyProtocol = 'openai-insecure-api-key.';

const socketProtocols = 'sec-websocket-protocol';

/** The subprotocols of a WebSocket are forwarded, except for one with a key, which counts like a bearer token. */
const socketProtocolRow: HeaderRow = {
  name: socketProtocols,
  repeated: 'refused',
  take: (caller, text) => {
    const offered = text.split(',').map((each) => each.trim());
    const key = offered.find((each) => each.startsWith(keyProtocol));
    if (key === undefined) return;
    remove(caller, socketProtocols);
    const others = offered.filter((each) => !each.startsWith(keyProtocol));
    if (others.length > 0) {
      caller.renamed ??= [];
      caller.renamed.push(socketProtocols, others.join(', '));
    }
    const token = key.slice(keyProtocol.length);
    if (caller.overrides.credential !== undefined) {
      keepOther(caller, token);
      return;
    }
    caller.overrides.credential = token;
    caller.credentialHeader = socketProtocols;
  },
};

/** Cookies are forwarded to providers unchanged, except for lines with one of the gateway's own cookies. */
const cookieRow: HeaderRow = {
  name: 'cookie',
  repeated: 'joined',
  take: (caller, text) => {
    if (!Object.values(sessionCookies).some((name) => text.includes(name))) return;
    if (caller.cookies === undefined) remove(caller, 'cookie');
    caller.cookies ??= [];
    caller.cookies.push(text);
  },
};

const asLength: HeaderParser<number> = (text) => (/^\d+$/.test(text) ? Number(text) : undefined);

const metadataRow: HeaderRow = {
  name: 'x-gw-metadata',
  repeated: 'refused',
  take: (caller, text) => {
    const labels = asLabels(text, 'x-gw-metadata');
    caller.metadata = caller.metadata === undefined ? labels : { ...caller.metadata, ...labels };
  },
};

/** The labels that tracing systems pass on from request to request. Those of `x-gw-metadata` take precedence. */
const baggageRow: HeaderRow = {
  name: 'baggage',
  repeated: 'joined',
  take: (caller, text) => {
    const labels = asBaggage(text, 'baggage');
    if (labels !== undefined) caller.metadata = { ...labels, ...caller.metadata };
  },
};

/**
 * Every header that the gateway reads, except those that dialects declare for credentials. No header whose name begins with
 * `x-gw-` ever reaches a provider. In their names, `llmv` is the vendor of the reference chat API, and `clouda`, `cloudb` and
 * `cloudc` are clouds: see the README of `schema/`.
 */
export const headerTable: readonly HeaderRow[] = [
  row('x-gw-api-key', { field: 'serviceKey', parse: asText }),
  row('x-gw-workspace', { field: 'workspace', parse: asText }),
  row('x-gw-config', { field: 'config', parse: asText }),
  row('x-gw-virtual-key', { field: 'virtualKey', parse: asText }),
  override('x-gw-provider', { field: 'provider', parse: asText }),
  override('x-gw-custom-host', { field: 'customHost', parse: asHost }),
  authorizationRow,
  names('x-gw-forward-headers', 'forwardHeaders', asHeaderNames),
  override('x-gw-request-timeout', { field: 'timeoutMs', parse: asMilliseconds }),
  override('x-gw-deadline', { field: 'deadlineMs', parse: asDeadline }),
  override('x-gw-max-cost', { field: 'maxCostUsd', parse: asCost }),
  override('x-gw-strict-llmv-compliance', { field: 'strict', parse: asFlag }),
  override('x-gw-usage', { field: 'usage', parse: asFlag }),
  row('x-gw-trace-id', { field: 'traceId', parse: asText }),
  ...['x-gw-span-id', 'x-gw-parent-span-id', 'x-gw-span-name'].map(ofTrace),
  metadataRow,
  baggageRow,
  override('x-gw-cache-force-refresh', { field: 'cacheRefresh', parse: asFlag }),
  override('x-gw-cache-namespace', { field: 'cacheNamespace', parse: asText }),
  override('x-gw-debug', { field: 'debug', parse: asFlag }),
  names('x-gw-sensitive-headers', 'sensitiveHeaders', asLowerCaseNames),
  renamed('x-gw-anthropic-beta', 'anthropic-beta'),
  renamed('x-gw-anthropic-version', 'anthropic-version'),
  renamed('x-gw-llmv-beta', 'openai-beta'),
  setting('x-gw-clouda-resource-name', 'resource_name'),
  setting('x-gw-clouda-deployment-id', 'deployment_id'),
  setting('x-gw-clouda-api-version', 'api_version'),
  setting('x-gw-clouda-model-name', 'clouda_model_name'),
  setting('x-gw-clouda-endpoint-name', 'clouda_endpoint_name'),
  setting('x-gw-clouda-deployment-name', 'clouda_deployment_name'),
  setting('x-gw-clouda-deployment-type', 'clouda_deployment_type'),
  setting('x-gw-clouda-region', 'clouda_region'),
  setting('x-gw-clouda-foundry-url', 'clouda_foundry_url'),
  setting('x-gw-clouda-extra-params', 'clouda_extra_params'),
  setting('x-gw-clouda-ad-token', 'clouda_ad_token'),
  setting('x-gw-clouda-auth-mode', 'clouda_auth_mode'),
  setting('x-gw-clouda-entra-tenant-id', 'clouda_entra_tenant_id'),
  setting('x-gw-clouda-entra-client-id', 'clouda_entra_client_id'),
  setting('x-gw-clouda-entra-client-secret', 'clouda_entra_client_secret'),
  setting('x-gw-clouda-entra-scope', 'clouda_entra_scope'),
  setting('x-gw-clouda-managed-client-id', 'clouda_managed_client_id'),
  setting('x-gw-cloudb-project-id', 'cloudb_project_id'),
  setting('x-gw-cloudb-region', 'cloudb_region'),
  setting('x-gw-cloudb-service-account-json', 'cloudb_service_account_json', asObject),
  unprefixedSetting('x-cloudb-llm-request-type', 'cloudb_request_type'),
  setting('x-gw-cloudc-access-key-id', 'cloudc_access_key_id'),
  setting('x-gw-cloudc-secret-access-key', 'cloudc_secret_access_key'),
  setting('x-gw-cloudc-session-token', 'cloudc_session_token'),
  setting('x-gw-cloudc-region', 'cloudc_region'),
  setting('x-gw-cloudc-auth-type', 'cloudc_auth_type'),
  setting('x-gw-cloudc-role-arn', 'cloudc_role_arn'),
  setting('x-gw-cloudc-external-id', 'cloudc_external_id'),
  setting('x-gw-llmv-organization', 'llmv_organization'),
  setting('x-gw-llmv-project', 'llmv_project'),
  setting('x-gw-workers-ai-account-id', 'workers_ai_account_id'),
  setting('x-gw-fireworks-account-id', 'fireworks_account_id'),
  setting('x-gw-snowflake-account', 'snowflake_account'),
  setting('x-gw-huggingface-base-url', 'huggingface_base_url'),
  setting('x-gw-mistral-fim-completion', 'mistral_fim_completion', asFlag),
  setting('x-gw-stability-client-id', 'stability_client_id'),
  setting('x-gw-stability-client-user-id', 'stability_client_user_id'),
  setting('x-gw-stability-client-version', 'stability_client_version'),
  setting('x-gw-amzn-sagemaker-custom-attributes', 'amzn_sagemaker_custom_attributes'),
  setting('x-gw-amzn-sagemaker-target-model', 'amzn_sagemaker_target_model'),
  setting('x-gw-amzn-sagemaker-target-variant', 'amzn_sagemaker_target_variant'),
  setting('x-gw-amzn-sagemaker-target-container-hostname', 'amzn_sagemaker_target_container_hostname'),
  setting('x-gw-amzn-sagemaker-inference-id', 'amzn_sagemaker_inference_id'),
  setting('x-gw-amzn-sagemaker-enable-explanations', 'amzn_sagemaker_enable_explanations'),
  setting('x-gw-amzn-sagemaker-inference-component', 'amzn_sagemaker_inference_component'),
  setting('x-gw-amzn-sagemaker-session-id', 'amzn_sagemaker_session_id'),
  setting('x-gw-oracle-region', 'oracle_region'),
  setting('x-gw-oracle-tenancy', 'oracle_tenancy'),
  setting('x-gw-oracle-user', 'oracle_user'),
  setting('x-gw-oracle-fingerprint', 'oracle_fingerprint'),
  setting('x-gw-oracle-private-key', 'oracle_private_key', asPem),
  setting('x-gw-oracle-key-passphrase', 'oracle_key_passphrase'),
  setting('x-gw-oracle-compartment-id', 'oracle_compartment_id'),
  setting('x-gw-oracle-project-id', 'oracle_project_id'),
  ...awsSignatureHeaders.map(removed),
  cookieRow,
  socketProtocolRow,
  row('traceparent', { field: 'traceParent', parse: asText }),
  row('host', { field: 'host', parse: asText }),
  row('origin', { field: 'origin', parse: asText }),
  row('content-type', { field: 'contentType', parse: asText }),
  row('content-length', { field: 'contentLength', parse: asLength }),
  {
    name: 'content-encoding',
    repeated: 'joined',
    take: (caller, text) => {
      // Several lines are one list. Reading only one of them would misinterpret the body.
      if (text !== '')
        caller.contentEncoding = caller.contentEncoding === undefined ? text : `${caller.contentEncoding}, ${text}`;
    },
  },
  {
    name: 'transfer-encoding',
    repeated: 'joined',
    take: (caller, text) => {
      caller.chunked = true;
      if (text !== 'chunked' && text.toLowerCase() !== 'chunked')
        throw gatewayError('invalid-header', {
          header: 'transfer-encoding',
          reason: 'the gateway decodes only chunked. Name another coding in content-encoding.',
        });
    },
  },
  {
    name: 'upgrade',
    repeated: 'first',
    take: (caller, text) => {
      caller.asksForWebSocket ||= /(?:^|[\s,])websocket(?=$|[\s,/])/i.test(text);
    },
  },
  {
    name: 'expect',
    repeated: 'first',
    take: (caller, text) => {
      caller.expectsContinue = text.toLowerCase() === '100-continue';
    },
  },
];

/** Headers whose requests are refused. Clients send an empty line for what they do not set. */
export const unservedRows: readonly HeaderRow[] = [...unservedHeaders].map(([name, member]) => ({
  name,
  repeated: 'refused',
  take: (_caller, text) => {
    if (text === '') return;
    throw gatewayError('invalid-header', {
      header: name,
      reason: `its checks would not run. Set "${member}" in a config.`,
    });
  },
}));
