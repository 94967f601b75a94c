import type { AllowedModels, Saved, SavedProvider } from '../../../../schema/config/saved.ts';
import { type GatewayError, gatewayError } from '../../../../schema/errors/errors.ts';
import type { InputProblem } from '../../../../schema/errors/input-problem.ts';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { lookUp } from '../../../../schema/json/look-up.ts';
import { findText } from '../../../../schema/json/loose.ts';
import { rootPointer, toOptionPath, toPointer } from '../../../../schema/json/pointer.ts';
import type { SavedPrices } from '../../../../schema/usage/model-price.ts';
import type { TenantId } from '../../../sdk/exchange/exchange.ts';
import { onlyNames } from '../../../sdk/http/header-lines.ts';
import { type GatewayResponse, headerValue, type RawHeaders } from '../../../sdk/http/http.ts';
import { refusedDestination } from '../../../sdk/http/refused-destination.ts';
import type { ParameterSchema } from '../../../sdk/parameters/from-schema.ts';
import { findProviderId } from '../../../sdk/plugin/catalogue.ts';
import type { InternalRequest, RouteContext } from '../../../sdk/route/route-row.ts';
import { headerError } from '../../kernel/requests/refusals.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';

/** Headers of requests for files and jobs that add to the settings of the provider's account. */
export const accountHeaders = {
  batchEndpoint: 'x-gw-provider-batch-endpoint',
  bedrockModel: 'x-gw-cloudc-bedrock-model',
  encryption: 'x-gw-amz-server-side-encryption',
  encryptionKey: 'x-gw-amz-server-side-encryption-aws-kms-key-id',
  fileName: 'x-gw-provider-file-name',
  gcsBucket: 'x-gw-cloudb-storage-bucket-name',
  model: 'x-gw-provider-model',
  s3Bucket: 'x-gw-cloudc-s3-bucket',
  s3Key: 'x-gw-cloudc-s3-object-key',
  uploadSize: 'x-gw-file-upload-size',
} as const;

const mandatory = 'x-gw-virtual-key';

/** The header of routes that act in the account of a saved provider. */
export const virtualKeyHeader: ParameterSchema = {
  type: 'object',
  required: [mandatory],
  properties: {
    [mandatory]: {
      type: 'string',
      minLength: 1,
      description: 'The slug of the virtual key or saved provider whose account contains it.',
    },
  },
};

const refused = (header: string, message: string): GatewayError =>
  headerError(header, message, `Name a virtual key, or the slug of a saved provider, with the header ${mandatory}.`);

/** Reads the header x-gw-virtual-key of a request. Throws the `GatewayError` `invalid-input` if it is missing. */
export const accountName = (headers: RawHeaders): string => {
  const name = headerValue(headers, mandatory)?.trim() ?? '';
  if (name === '') throw refused(mandatory, `The header ${mandatory} is missing.`);
  return name;
};

/** Returns the slug of a saved provider: the first of its names. */
const toSlug = (things: Saved['providers'], found: SavedProvider, name: string): string =>
  Object.keys(things).find((each) => things[each] === found) ?? name;

/**
 * Finds the virtual key, or else the provider, with the name that the header `by` has. Throws the `GatewayError` `invalid-input`
 * if there is none.
 */
export const namedAccount = (
  { virtualKeys, providers, unusable = {} }: Saved,
  name: string,
  by: string = mandatory,
): {
  /** Its first name in the workspace, whichever of its names was used. */
  readonly slug: string;
  readonly found: SavedProvider;
  /** The header that names the account on the data path. */
  readonly selectorHeaders: RawHeaders;
} => {
  const virtualKey = Object.hasOwn(virtualKeys, name) ? virtualKeys[name] : undefined;
  if (virtualKey !== undefined)
    return { slug: toSlug(virtualKeys, virtualKey, name), found: virtualKey, selectorHeaders: [mandatory, name] };
  const slug = name.replace(/^@/, '');
  const found = Object.hasOwn(providers, slug) ? providers[slug] : undefined;
  if (found !== undefined)
    return { slug: toSlug(providers, found, slug), found, selectorHeaders: ['x-gw-provider', `@${slug}`] };
  const fault = lookUp(unusable, slug);
  if (fault !== undefined) throw refused(by, `The header ${by} names the ${fault.what} "${slug}", which ${fault.why}.`);
  throw refused(
    by,
    `The header ${by} names "${name.slice(0, 255)}", but your workspace has no such virtual key or provider.`,
  );
};

/** Checks whether a header names anything to forward, as a list or as JSON. */
const forwardsHeaders = (headers: RawHeaders): boolean =>
  /[^\s,[\]"]/.test(headerValue(headers, 'x-gw-forward-headers') ?? '');

/**
 * Rejects requests that name a host or headers to forward. Jobs send to the hosts of the saved record and forward neither header,
 * so such a request would be served differently from what it says. Throws the `GatewayError` `credential-origin-mismatch`.
 */
export const rejectCustomDestination = (headers: RawHeaders, target: string): void => {
  const url = headerValue(headers, 'x-gw-custom-host') || undefined;
  if (url !== undefined || forwardsHeaders(headers))
    throw refusedDestination({ target, path: toOptionPath(rootPointer) }, url);
};

/** Headers of a client's request that are copied to the provider requests of its jobs. */
const names = [
  'anthropic-beta',
  'baggage',
  'openai-beta',
  'traceparent',
  'tracestate',
  'user-agent',
  'x-gw-metadata',
  'x-gw-request-timeout',
];

/** Picks the headers of a request that a job passes on: none that names a provider or a plan, or has a credential. */
const passedHeaders = (headers: RawHeaders): RawHeaders => [
  ...onlyNames(headers, names),
  'accept-encoding',
  'identity',
];

/** A job's request to a provider: a passed-through path below the provider's base URL, or in the storage of its cloud. */
export type ProviderRequest = InternalRequest;

/** An account at a provider: a saved provider or virtual key of a workspace, as one request may use it. */
export interface Account {
  /** Its first name in the workspace, whichever of its names was used. */
  readonly slug: string;
  /** The id of its provider. */
  readonly provider: string;
  readonly settings: JsonObject;
  readonly saved: SavedProvider;
  /** The models that may be called; all if absent. */
  readonly models?: AllowedModels | undefined;
  /** The prices of its models; the usual prices if absent. */
  readonly prices?: SavedPrices | undefined;
  /** The headers of the request that uses the account. */
  readonly headers: RawHeaders;
  /** The header that names the account on the data path. */
  readonly selectorHeaders: RawHeaders;
  /**
   * Returns a value that stands for the account of the key that the last request was sent with; undefined unless the keys belong
   * to several accounts.
   */
  keyAccount?(): string | undefined;
  /**
   * Sends a request with the account's credential, through plan, limits, log and ledger. Never rejects: an error is a response.
   */
  send(request: ProviderRequest): Promise<GatewayResponse>;
}

/**
 * Finds the account of a workspace by its name. Rejects with the `GatewayError` `invalid-input` if there is none, and with
 * `credential-origin-mismatch` if the request chooses a host.
 */
export const readAccount = async (
  { readView, catalogue }: Pick<ControlParts, 'readView' | 'catalogue'>,
  {
    tenant,
    name,
    context,
  }: {
    readonly tenant: TenantId;
    /** Of a virtual key, or of a saved provider. */
    readonly name: string;
    /** The context of the request that uses the account. */
    readonly context: Pick<RouteContext, 'headers' | 'dispatch' | 'principal'>;
  },
): Promise<Account> => {
  const { saved } = await readView(tenant);
  const { slug, found, selectorHeaders } = namedAccount(saved, name);
  rejectCustomDestination(context.headers, slug);
  const passed = [...passedHeaders(context.headers), ...selectorHeaders];
  let keyAccount: string | undefined;
  return {
    ...{ slug, selectorHeaders },
    provider: findProviderId(catalogue, found.provider),
    settings: found.settings ?? {},
    saved: found,
    models: found.models,
    prices: found.prices,
    headers: context.headers,
    keyAccount: () => keyAccount,
    async send({ headers = [], ...request }) {
      const answer = await context.dispatch(
        {
          // With this option the response reports which account it was made with.
          kept: {},
          ...request,
          path: request.isStorage === true ? request.path : `/v1${request.path}`,
          headers: [...passed, ...headers],
        },
        context.principal,
      );
      keyAccount = answer.leaf?.maker?.account;
      return answer;
    },
  };
};

/** Returns the role with which Bedrock reads and writes the files of a job: the role in the request, or else the account's. */
export const bedrockRole = (named: string | undefined, { settings }: Account): string | undefined =>
  named ?? findText(settings.cloudc_job_role_arn);

/** The problem reported if no role is named. */
export const missingRole: InputProblem = {
  pointer: toPointer(['role_arn']),
  message: '"role_arn" is missing, which Bedrock requires.',
  hint: 'Add the ARN of the role with which Bedrock reads and writes files, or save it as cloudc_job_role_arn in the provider.',
};

/**
 * Returns the path of a collection, such as `tuningJobs`, in the region of an account; the provider replaces `-` by the project.
 * Throws the `GatewayError` `missing-base-url` if there is no region.
 */
export const vertexPath = ({ settings, provider }: Account, collection: string): string => {
  const region = findText(settings.cloudb_region);
  if (region === undefined) throw gatewayError('missing-base-url', { provider, reason: 'cloudb_region is missing.' });
  return `/projects/-/locations/${encodeURIComponent(region)}/${collection}`;
};
