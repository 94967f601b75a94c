import type { CallerWishes } from '../../plugins/sdk/exchange.ts';
import type { Json } from '../../schema/json.ts';
import type { CallerHeaders } from './caller-headers.ts';
import {
  asBearer,
  asFlag,
  asHeaderNames,
  asMilliseconds,
  asObject,
  asText,
  type HeaderParser,
} from './header-parsers.ts';

/** One header that the gateway reads. Where a header comes twice, the first counts. */
export interface HeaderRow {
  /** In lower case; clients may spell it as they like. */
  readonly name: string;
  /** What it is good for, in words. */
  readonly meaning: string;
  take(caller: CallerHeaders, text: string): void;
}

type Own = Exclude<keyof CallerHeaders, 'wishes' | 'settings' | 'problem' | 'chunked' | 'expectsContinue'>;

const row = <Field extends Own>(
  name: string,
  meaning: string,
  { field, parse }: { readonly field: Field; readonly parse: HeaderParser<NonNullable<CallerHeaders[Field]>> },
): HeaderRow => ({
  name,
  meaning,
  take: (caller, text) => {
    if (caller[field] !== undefined) return;
    const value = parse(text, name);
    if (value !== undefined) caller[field] = value;
  },
});

const wish = <Field extends keyof CallerWishes>(
  name: string,
  meaning: string,
  { field, parse }: { readonly field: Field; readonly parse: HeaderParser<NonNullable<CallerWishes[Field]>> },
): HeaderRow => ({
  name,
  meaning,
  take: ({ wishes }, text) => {
    if (wishes[field] !== undefined) return;
    const value = parse(text, name);
    if (value !== undefined) wishes[field] = value;
  },
});

const setting = (name: string, field: string, parse: HeaderParser<Json> = asText): HeaderRow => ({
  name,
  meaning: `The provider setting ${field}.`,
  take: (caller, text) => {
    const value = parse(text, name);
    if (value === undefined) return;
    caller.settings ??= {};
    caller.settings[field] ??= value;
  },
});

const credential = (name: string, parse: HeaderParser<string>): HeaderRow => ({
  name,
  meaning: "The caller's own credential for the provider.",
  take: (caller, text) => {
    const token = parse(text, name);
    if (token === undefined || caller.credentialHeader === 'authorization') return;
    caller.wishes.credential = token;
    caller.credentialHeader = name;
  },
});

const asLength: HeaderParser<number> = (text) => (/^\d+$/.test(text) ? Number(text) : undefined);

/** Every header that the gateway reads. None whose name begins with `x-gw-` ever reaches a provider. */
export const headerTable: readonly HeaderRow[] = [
  row('x-gw-api-key', 'The service key: who calls the gateway.', { field: 'serviceKey', parse: asText }),
  row('x-gw-config', 'A routing config as JSON, or the name of a saved one.', { field: 'config', parse: asText }),
  row('x-gw-virtual-key', 'A saved provider credential, by id.', { field: 'virtualKey', parse: asText }),
  wish('x-gw-provider', 'A provider by name, or a saved one as @slug.', { field: 'provider', parse: asText }),
  wish('x-gw-custom-host', "A base URL in place of the provider's.", { field: 'customHost', parse: asText }),
  credential('authorization', asBearer),
  credential('x-api-key', asText),
  wish('x-gw-forward-headers', 'Names of headers that go to the provider as they are.', {
    field: 'forwardHeaders',
    parse: asHeaderNames,
  }),
  wish('x-gw-request-timeout', 'Milliseconds for one attempt.', { field: 'timeoutMs', parse: asMilliseconds }),
  wish('x-gw-strict-llmv-compliance', 'false adds what the reference format does not have.', {
    field: 'strict',
    parse: (text) => (text === 'false' ? false : undefined),
  }),
  row('x-gw-trace-id', 'The id of this request in answers and logs.', { field: 'traceId', parse: asText }),
  row('x-gw-metadata', 'A JSON object that conditions, checks and logs can read; anything else counts as {}.', {
    field: 'metadata',
    parse: asText,
  }),
  row('x-gw-cache-force-refresh', 'true asks the provider anew and stores the answer.', {
    field: 'cacheForceRefresh',
    parse: asFlag,
  }),
  row('x-gw-cache-namespace', 'Divides the cache.', { field: 'cacheNamespace', parse: asText }),
  setting('x-gw-clouda-resource-name', 'resource_name'),
  setting('x-gw-clouda-deployment-id', 'deployment_id'),
  setting('x-gw-clouda-api-version', 'api_version'),
  setting('x-gw-clouda-model-name', 'clouda_model_name'),
  setting('x-gw-clouda-endpoint-name', 'clouda_endpoint_name'),
  setting('x-gw-cloudb-project-id', 'cloudb_project_id'),
  setting('x-gw-cloudb-region', 'cloudb_region'),
  setting('x-gw-cloudb-service-account-json', 'cloudb_service_account_json', asObject),
  setting('x-cloudb-llm-request-type', 'cloudb_request_type'),
  setting('x-gw-cloudc-access-key-id', 'cloudc_access_key_id'),
  setting('x-gw-cloudc-secret-access-key', 'cloudc_secret_access_key'),
  setting('x-gw-cloudc-session-token', 'cloudc_session_token'),
  setting('x-gw-cloudc-region', 'cloudc_region'),
  setting('x-gw-llmv-organization', 'llmv_organization'),
  setting('x-gw-llmv-project', 'llmv_project'),
  row('traceparent', 'Gives the trace id where x-gw-trace-id is absent.', { field: 'traceParent', parse: asText }),
  row('host', 'The address the client called.', { field: 'host', parse: asText }),
  row('origin', 'The web page that calls.', { field: 'origin', parse: asText }),
  row('content-type', 'What the body is.', { field: 'contentType', parse: asText }),
  row('content-length', 'How long the body is.', { field: 'contentLength', parse: asLength }),
  row('content-encoding', 'How the body is packed.', { field: 'contentEncoding', parse: asText }),
  {
    name: 'transfer-encoding',
    meaning: 'A body of unknown length follows.',
    take: (caller) => {
      caller.chunked = true;
    },
  },
  {
    name: 'expect',
    meaning: '100-continue: the client waits before it sends its body.',
    take: (caller, text) => {
      caller.expectsContinue = text.toLowerCase() === '100-continue';
    },
  },
];
