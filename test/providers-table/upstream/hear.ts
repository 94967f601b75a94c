import type { Dialect } from '../../../plugins/sdk/dialect/dialect.ts';
import type { Provider } from '../../../plugins/sdk/provider/provider.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import { families } from '../../matrix/families.ts';
import type { UpstreamDriver } from '../../matrix/upstreams/upstream-driver.ts';
import { upstreamDrivers } from '../../matrix/upstreams/upstream-drivers.ts';
import type { ReceivedRequest } from '../../support/servers/upstream-server.ts';
import { awsRefusal } from '../../support/vendors/aws-verifier.ts';
import type { SecretHeaders } from '../clients/official-client.ts';
import { credentialOf, credentialSamples, region } from '../targets.ts';
import { findUnlisted, findUntabled } from './find-undocumented.ts';
import { providerSamples } from './provider-samples.ts';
import { readBody } from './read-body.ts';
import { vendorForms } from './vendor-forms.ts';

const driverOf = (provider: Provider, dialect: Dialect): UpstreamDriver | undefined =>
  families.find((family) => family.provider === provider.id && family.upstream.dialect === dialect.id)?.upstream ??
  upstreamDrivers.get(dialect.id);

/** Returns why AWS would reject the request's signature. */
const signatureRefusal = (request: ReceivedRequest): string | undefined =>
  awsRefusal(
    { method: request.method, target: request.path, header: request.header, body: request.body },
    {
      secrets: { [credentialSamples.cloudc_access_key_id]: credentialSamples.cloudc_secret_access_key },
      ...{ service: 'bedrock', region, now: Date.now() },
    },
  );

const checkCaller = (request: ReceivedRequest, provider: Provider, expected: SecretHeaders): void => {
  const credential = credentialOf(provider);
  for (const [name, value] of expected)
    if (request.header(name) !== value) throw new Error(`The header ${name} is ${request.header(name)}.`);
  if (request.head.includes('not-sent')) throw new Error("It has the client's own key.");
  if (/^x-gw-/im.test(request.head)) throw new Error('It has headers of the gateway.');
  if (Object.keys(credential).length === 0 && request.header('authorization') !== undefined)
    throw new Error('It has a credential, and the provider has none.');
  const [secret] = Object.values(credential);
  if (secret !== undefined && !request.head.includes(secret)) throw new Error('It does not say who asks.');
  const refused = credential.cloudc_access_key_id === undefined ? undefined : signatureRefusal(request);
  if (refused !== undefined) throw new Error(refused);
};

/** Throws if a member is not in the vendor's list or, if there is no list, not in the dialect's table. */
const checkMembers = (body: JsonObject, { id, members }: Dialect, listed: readonly string[] | undefined): void => {
  if (listed === undefined && members === undefined)
    throw new Error(`Add the members of ${id} to test/providers-table/upstream/provider-samples.ts.`);
  const unknown = listed === undefined ? members && findUntabled(body, members.request) : findUnlisted(body, listed);
  if (unknown !== undefined) throw new Error(`${unknown} is not a member that the vendor documents.`);
};

/** The expected provider and format of a request, and the headers that it must contain. */
export interface Expected {
  readonly provider: Provider;
  readonly dialect: Dialect;
  readonly caller: SecretHeaders;
}

/** Checks a request as strictly as the vendor documents it. Rejects with the reason for which the vendor would refuse it. */
export const hear = async (request: ReceivedRequest, { provider, dialect, caller }: Expected): Promise<void> => {
  if (request.method !== 'POST') throw new Error(`The method is ${request.method}.`);
  checkCaller(request, provider, caller);
  const body = await readBody(request);
  const own = vendorForms[provider.id]?.[dialect.id]?.members;
  const driver = driverOf(provider, dialect);
  if (own === undefined && driver !== undefined) driver.hear(request);
  else checkMembers(body, dialect, own ?? providerSamples[dialect.id]?.members);
};
