import type { JsonObject } from '../../../schema/json/json.ts';
import type { UpstreamRequest } from '../../sdk/http/http.ts';
import { wholeBody } from '../../sdk/http/whole-body.ts';
import { type AuthorizeContext, type Credential, defineProvider, type Provider } from '../../sdk/provider/provider.ts';
import { readPrivateKey } from '../auth/private-key.ts';
import { signOci } from '../auth/sign-oci.ts';
import { bearer } from '../shared/bearer.ts';
import { openaiCompatible } from '../shared/openai-compatible.ts';
import { settingHeader } from '../shared/setting-header.ts';
import { hostLabel, textSetting } from '../shared/text-setting.ts';

/** The largest body that is held in order to be signed. */
const maxBytes = 25_000_000;

/** Returns a part of the key's name: an OCID, or a fingerprint. */
const keyPart = (settings: JsonObject, name: string): string => {
  const value = textSetting(settings, name);
  if (value === undefined) throw new Error(`${name} is missing.`);
  if (!/^[\w.:-]{1,255}$/.test(value)) throw new Error(`${name} must be an OCID, or the fingerprint of a key.`);
  return value;
};

const signs = ({ oracle_private_key: pem }: Credential): boolean => pem !== undefined;

/** https://docs.oracle.com/en-us/iaas/Content/API/Concepts/signingrequests.htm */
const authorize = async (request: UpstreamRequest, context: AuthorizeContext): Promise<UpstreamRequest> => {
  const { credential, settings } = context;
  const { oracle_private_key: pem, oracle_key_passphrase: passphrase } = credential;
  if (pem === undefined) return request;
  const keyId = ['oracle_tenancy', 'oracle_user', 'oracle_fingerprint']
    .map((name) => keyPart(settings, name))
    .join('/');
  const key = readPrivateKey(pem, 'oracle_private_key', passphrase);
  const whole = { ...request, body: await wholeBody(request.body, maxBytes) };
  return signOci(whole, { keyId, key, now: context.now() });
};

/** Oracle Cloud's Generative AI: https://docs.oracle.com/en-us/iaas/Content/generative-ai/openai-compatible-api.htm */
export const oracle: Provider = defineProvider({
  ...openaiCompatible({
    id: 'oracle',
    documentation: 'https://docs.oracle.com/en-us/iaas/Content/generative-ai/openai-compatible-api.htm',
    baseUrl: (settings) =>
      `https://inference.generativeai.${hostLabel(settings, 'oracle_region', 'us-chicago-1')}.oci.oraclecloud.com/openai/v1`,
    operations: ['chat', 'responses'],
    // Its own errors are flat: `{"code": "NotAuthenticated", "message": "…"}`.
    errorsVary: true,
    unconfirmed: ['drop', 'lacks', 'developers', 'stream_options'],
  }),
  credentialFields: ['api_key', 'oracle_private_key', 'oracle_key_passphrase'],
  ownSettings: {
    type: 'object',
    additionalProperties: false,
    properties: {
      oracle_region: { type: 'string', description: 'The region, such as `us-chicago-1`.' },
      oracle_tenancy: { type: 'string', description: 'The OCID of the tenancy of the signing key.' },
      oracle_user: { type: 'string', description: 'The OCID of the user of the signing key.' },
      oracle_fingerprint: { type: 'string', description: 'The fingerprint of the signing key.' },
      oracle_compartment_id: { type: 'string', description: 'The OCID of the compartment that is charged.' },
      oracle_project_id: { type: 'string', description: 'The OCID of the Generative AI project.' },
    },
  },
  headers: (credential, settings) => [
    ...(signs(credential) ? [] : bearer(credential)),
    // Its own libraries send both names, the first of which is the older one: https://github.com/oracle-samples/oci-openai
    ...settingHeader(settings, 'oracle_compartment_id', 'CompartmentId'),
    ...settingHeader(settings, 'oracle_compartment_id', 'opc-compartment-id'),
    ...settingHeader(settings, 'oracle_project_id', 'OpenAI-Project'),
  ],
  authorize,
});
