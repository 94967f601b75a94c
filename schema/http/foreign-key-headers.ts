/** A header in which clients of another gateway, or of a proxy in front of a service, authenticate themselves to it. */
export interface ForeignKeyHeader {
  /** In lower case. A name that ends with a hyphen stands for every header with that prefix. */
  readonly name: string;
  readonly gateway: string;
  /** Where its vendor documents it. */
  readonly source: string;
}

const row = (gateway: string, source: string, names: string): readonly ForeignKeyHeader[] =>
  names.split(' ').map((name) => ({ name, gateway, source }));

/**
 * Key headers of other gateways, which clients that have moved from there may still send. They are not meant for providers: a
 * target gets one only if `forward_headers` names it.
 */
export const foreignKeyHeaders: readonly ForeignKeyHeader[] = [
  // A key, a provider's key, cloud keys, and configs that contain keys.
  ...row('Portkey', 'https://portkey.ai/docs/api-reference/inference-api/headers', 'x-portkey-'),
  ...row('LiteLLM', 'https://docs.litellm.ai/docs/auth_overview', 'x-litellm-api-key'),
  ...row('Helicone', 'https://docs.helicone.ai/helicone-headers/helicone-auth', 'helicone-auth'),
  // A list of requests that contain the keys of their providers.
  ...row(
    'Helicone',
    'https://docs.helicone.ai/getting-started/integration-method/gateway-fallbacks',
    'helicone-fallbacks',
  ),
  ...row('Bifrost', 'https://docs.getbifrost.ai/providers/request-options', 'x-bf-vk'),
  // Headers for MCP servers, with their keys. The gateway's own key is in `authorization`.
  ...row('TrueFoundry', 'https://docs.truefoundry.com/docs/ai-gateway/headers', 'x-tfy-mcp-headers'),
  ...row(
    'Cloudflare AI Gateway',
    'https://developers.cloudflare.com/ai-gateway/configuration/authentication/',
    'cf-aig-authorization',
  ),
  ...row(
    'Cloudflare Access',
    'https://developers.cloudflare.com/cloudflare-one/access-controls/service-credentials/service-tokens/',
    'cf-access-client-id cf-access-client-secret',
  ),
  ...row('Cloudflare Access', 'https://developers.cloudflare.com/cloudflare-one/tutorials/cli/', 'cf-access-token'),
  ...row(
    'Cloudflare Access',
    'https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/authorization-cookie/validating-json/',
    'cf-access-jwt-assertion',
  ),
  // APISIX uses the same name: https://apisix.apache.org/docs/apisix/plugins/key-auth/
  ...row('Kong and APISIX', 'https://developer.konghq.com/plugins/key-auth/', 'apikey'),
  ...row('Kong', 'https://docs.konghq.com/enterprise/0.33-x/rbac/overview/', 'kong-admin-token'),
  ...row(
    'Azure API Management',
    'https://learn.microsoft.com/en-us/azure/api-management/api-management-subscriptions',
    'ocp-apim-subscription-key',
  ),
  ...row(
    'Azure Functions',
    'https://learn.microsoft.com/en-us/azure/azure-functions/function-keys-how-to',
    'x-functions-key',
  ),
  ...row('Tyk', 'https://tyk.io/docs/getting-started/key-concepts/gateway-api/', 'x-tyk-authorization'),
  ...row(
    'Gravitee',
    'https://documentation.gravitee.io/apim/4.12/create-and-configure-apis/apply-policies/policy-reference/api-key',
    'x-gravitee-api-key',
  ),
  ...row('RapidAPI', 'https://docs.rapidapi.com/docs/keys-and-key-rotation', 'x-rapidapi-key'),
  ...row('RapidAPI', 'https://docs.rapidapi.com/docs/additional-request-headers', 'x-rapidapi-proxy-secret'),
  ...row('Cloud Run', 'https://github.com/GoogleCloudPlatform/cloud-run-proxy/pull/25', 'x-serverless-authorization'),
  ...row(
    'Identity-Aware Proxy',
    'https://docs.cloud.google.com/iap/docs/signed-headers-howto',
    'x-goog-iap-jwt-assertion',
  ),
  ...row(
    'Application Load Balancer',
    'https://docs.aws.amazon.com/elasticloadbalancing/latest/application/listener-authenticate-users.html',
    'x-amzn-oidc-accesstoken x-amzn-oidc-data',
  ),
  ...row(
    'Vercel',
    'https://vercel.com/docs/deployment-protection/methods-to-bypass-deployment-protection/protection-bypass-automation',
    'x-vercel-protection-bypass',
  ),
  ...row('Vercel', 'https://vercel.com/docs/oidc/reference', 'x-vercel-oidc-token'),
  ...row(
    'oauth2-proxy',
    'https://oauth2-proxy.github.io/oauth2-proxy/configuration/overview/',
    'x-forwarded-access-token x-auth-request-access-token',
  ),
  ...row('Pomerium', 'https://www.pomerium.com/docs/capabilities/getting-users-identity', 'x-pomerium-jwt-assertion'),
  ...row(
    'Pomerium',
    'https://www.pomerium.com/docs/capabilities/original-request-context',
    'x-pomerium-jwt-assertion-for',
  ),
];

const whole: ReadonlySet<string> = new Set(foreignKeyHeaders.map(({ name }) => name));
const beginnings: readonly string[] = [...whole].filter((name) => name.endsWith('-'));

/** Whether a header, in lower case, is one of these. */
export const isForeignKeyHeader = (name: string): boolean =>
  whole.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
