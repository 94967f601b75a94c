import type { VendorSdk } from './vendor-sdk.ts';

interface Ranked {
  readonly records?: readonly { readonly score?: number }[];
}

interface RankingModule {
  readonly v1: {
    readonly RankServiceClient: new (options: object) => { rank(request: object): Promise<readonly [Ranked]> };
  };
}

/** Sends the library's requests without their query, which sets the encoding of enumerations: these requests have none. */
const sendAs =
  (key: string) =>
  async (url: URL | string, init: RequestInit): Promise<Response> => {
    const { origin, pathname } = new URL(url);
    const headers = { ...Object.fromEntries(new Headers(init.headers)), authorization: `Bearer ${key}` };
    return fetch(origin + pathname, { ...init, headers: { ...headers, 'content-type': 'application/json' } });
  };

/** https://www.npmjs.com/package/@google-cloud/discoveryengine, over HTTP instead of gRPC. */
export const rankingSdk: VendorSdk = {
  library: '@google-cloud/discoveryengine',
  provider: 'vertex-ai',
  writesOut: { 'vertex-rerank': { userLabels: {} } },
  async asks(load) {
    const { v1 } = await load<RankingModule>('@google-cloud/discoveryengine');
    return {
      'vertex-rerank': async ({ origin, key, model }, query) => {
        const { hostname: apiEndpoint, port } = new URL(origin);
        const auth = {
          fetch: sendAs(key),
          getClient: async () => auth,
          getUniverseDomain: async () => 'googleapis.com',
          getRequestHeaders: async () => new Headers(),
        };
        const place = { apiEndpoint, port: Number(port), protocol: 'http', fallback: true };
        const [{ records = [] }] = await new v1.RankServiceClient({ ...place, auth }).rank({
          rankingConfig: 'projects/acme/locations/global/rankingConfigs/default_ranking_config',
          ...{ model, query, records: [{ id: '0', content: 'one' }], ignoreRecordDetailsInResponse: true },
        });
        return String(records[0]?.score);
      },
    };
  },
};
