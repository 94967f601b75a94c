import { scopes } from '../../../../plugins/control/kernel/requests/scopes.ts';
import { type GatewayProcess, startGateway } from '../../../support/gateways/gateway-process.ts';
import { startUpstream, type TestUpstream, type UpstreamHandler } from '../../../support/servers/upstream-server.ts';
import { jobAnswer } from '../../../support/vendors/job-answers.ts';
import { openaiAnswer, openaiStream } from '../../../support/vendors/openai-wire.ts';
import { type Answered, type Asking, ask } from './asking.ts';
import { secondOrganisation } from './second-organisation.ts';

/** A workspace with a key that has every scope in it. */
export interface Tenant {
  readonly id: string;
  readonly slug: string;
  readonly key: string;
  /** A key of its organisation. */
  readonly admin: string;
  /** The credential that its upstream receives. */
  readonly credential: string;
  readonly upstream: TestUpstream;
  /** The upstream for the fine-tuning jobs of all tenants, with any id. */
  readonly jobs: TestUpstream;
}

/**
 * Workspaces of two organisations: `ours` and `neighbour` belong to one, and `stranger`, in the other, has the slug of
 * `ours`.
 */
export interface TenantWorld extends AsyncDisposable {
  readonly gateway: GatewayProcess;
  readonly origin: string;
  readonly ours: Tenant;
  readonly neighbour: Tenant;
  readonly stranger: Tenant;
  /** Sends a request such as `GET /v1/configs`. */
  ask(request: string, asking: Asking): Promise<Answered>;
  /** Sends a request that must succeed, and returns its parsed answer. */
  done(request: string, asking: Asking): Promise<Said>;
}

/** The members of control plane answers that tests need. */
export interface Said {
  readonly id: string;
  readonly slug: string;
  readonly key: string;
  readonly data: { readonly id: string; readonly slug: string };
}

const adminKey = 'the-admin-key-of-these-tests-with-40-chars';

/** The environment variables that the store of these tests needs. */
export const tenantEnvironment: Readonly<Record<string, string>> = {
  GW_ADMIN_KEY: adminKey,
  GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
};

/** Answers with the credential of the request, so that the answer shows whose it was. All texts have the same vector. */
export const vendorAnswers: UpstreamHandler = (call) => {
  const text = `answered with ${call.request.header('authorization')}`;
  if (call.request.path.endsWith('/embeddings'))
    return call.json({ object: 'list', data: [{ object: 'embedding', index: 0, embedding: [0.6, 0.8] }], model: 'e' });
  if (call.request.method === 'GET') return call.json({ object: 'list', data: [], has_more: false });
  if (JSON.parse(call.request.text()).stream !== true) return call.json(openaiAnswer({ text }));
  const stream = call.sse();
  for (const frame of openaiStream({ text })) stream.send(frame);
  stream.end();
};

export const startVendor = (): Promise<TestUpstream> => startUpstream(vendorAnswers);

const startJobs = (): Promise<TestUpstream> =>
  startUpstream(({ request, json }) =>
    json(jobAnswer(request.method, request.path) ?? { id: 'file-1', object: 'file' }),
  );

export interface TenantWorldOptions {
  /** Members of the gateway file besides the trusted hosts. */
  readonly settings?: object;
  readonly env?: Readonly<Record<string, string>>;
  readonly store?: string;
}

export const startTenants = async (
  folder: string,
  { settings = {}, env = {}, store = `${folder}/gateway.db` }: TenantWorldOptions = {},
): Promise<TenantWorld> => {
  const otherAdmin = await secondOrganisation(store, adminKey);
  const gateway = await startGateway({
    folder,
    files: { 'gateway.json': { trusted_hosts: ['127.0.0.1'], ...settings } },
    args: ['--store', store],
    env: { ...env, ...tenantEnvironment },
  });
  const { origin } = gateway;
  const done: TenantWorld['done'] = async (request, asking) => {
    const { status, text } = await ask(origin, request, asking);
    if (status !== 200) throw new Error(`${request}: ${status} ${text}`);
    return JSON.parse(text);
  };
  const add = async (name: string, slug: string, admin: string): Promise<Tenant> => {
    const { id } = await done('POST /v1/workspaces', { key: admin, body: { name, slug } });
    const body = { name: `${name} everything`, workspace_id: id, scopes };
    const { key } = await done('POST /v1/api-keys/workspace/service', { key: admin, body });
    return {
      id,
      slug,
      key,
      admin,
      credential: `sk-of-${name}-1234567890`,
      upstream: await startVendor(),
      jobs: await startJobs(),
    };
  };
  const ours = await add('ours', 'team', adminKey);
  const neighbour = await add('neighbour', 'neighbour', adminKey);
  const stranger = await add('stranger', 'team', otherAdmin);
  return {
    gateway,
    origin,
    ours,
    neighbour,
    stranger,
    ask: (request, asking) => ask(origin, request, asking),
    done,
    async [Symbol.asyncDispose]() {
      await gateway.stop();
      await Promise.all([ours, neighbour, stranger].flatMap(({ upstream, jobs }) => [upstream.close(), jobs.close()]));
    },
  };
};
