import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import OpenAI from 'openai';
import { geminiDriver } from '../../matrix/upstreams/gemini/gemini-driver.ts';
import { messagesDriver } from '../../matrix/upstreams/messages/messages-driver.ts';
import type { UpstreamDriver } from '../../matrix/upstreams/upstream-driver.ts';
import { type GatewayProcess, startGateway } from '../../support/gateways/gateway-process.ts';
import { adminKey, control } from '../../support/gateways/stored-gateway.ts';
import { startUpstream, type TestUpstream } from '../../support/servers/upstream-server.ts';
import { type OpenaiStore, startOpenaiStore } from './openai-store.ts';

const env = { GW_ADMIN_KEY: adminKey, GW_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') };

/** A model of each provider. */
export const models: Readonly<Record<string, string>> = {
  native: 'gpt-5',
  claude: 'claude-sonnet-4-5',
  gemini: 'gemini-2.5-flash',
};

/** Starts a vendor that answers every conversation with a unique text. */
const startVendor = (driver: UpstreamDriver): Promise<TestUpstream> => {
  let count = 0;
  return startUpstream((call) => {
    count += 1;
    const text = `${driver.dialect} ${count}`;
    const stream = call.request.path.includes('stream') || call.request.json().stream === true;
    driver.answer(call, { kind: 'answer', text, finish: 'stop', usage: { input: 9, output: 2 } }, stream);
  });
};

/** Returns the error of a request that fails, or an empty object if it succeeds. */
export const failure = (
  promise: PromiseLike<unknown>,
): Promise<{ status?: number; code?: string; param?: string; message?: string }> =>
  Promise.resolve(promise).then(
    () => ({}),
    (error) => error,
  );

/** A provider with this name and kind, at an origin. */
export interface SavedAt {
  readonly slug: string;
  readonly provider: string;
  readonly host: string;
}

/**
 * A gateway with a store that has two workspaces, `default` and `other`. Both have the saved providers `native` (OpenAI, with
 * its own store), `claude` and `gemini`.
 */
export class ResponsesWorld {
  readonly native: OpenaiStore;
  readonly anthropic: TestUpstream;
  readonly gemini: TestUpstream;
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'gw-responses-'));
  #gateway: GatewayProcess | undefined;
  /** The keys of the two workspaces. */
  key = '';
  otherKey = '';

  private constructor(native: OpenaiStore, anthropic: TestUpstream, gemini: TestUpstream) {
    this.native = native;
    this.anthropic = anthropic;
    this.gemini = gemini;
  }

  static async start(): Promise<ResponsesWorld> {
    const world = new ResponsesWorld(
      await startOpenaiStore(),
      await startVendor(messagesDriver),
      await startVendor(geminiDriver),
    );
    await world.startGateway();
    await control(world.gateway, 'POST /workspaces', { body: { name: 'Other', slug: 'other' } });
    await world.save({ slug: 'native', provider: 'openai', host: `${world.native.origin}/v1` });
    await world.save({ slug: 'claude', provider: 'anthropic', host: `${world.anthropic.origin}/v1` });
    await world.save({ slug: 'gemini', provider: 'google', host: `${world.gemini.origin}/v1beta` });
    world.key = (await world.makeKey('default')).key;
    world.otherKey = (await world.makeKey('other')).key;
    return world;
  }

  get gateway(): GatewayProcess {
    if (this.#gateway === undefined) throw new Error('The gateway has not been started.');
    return this.#gateway;
  }

  /** Starts the gateway with the existing store. */
  async startGateway(): Promise<void> {
    this.#gateway = await startGateway({ folder: this.#folder, args: ['--store', 'gateway.db'], env });
  }

  /** Saves the provider in both workspaces. */
  async save({ slug, provider, host }: SavedAt): Promise<void> {
    const body = { name: slug, slug, provider, credential: { api_key: `sk-${slug}` }, settings: { custom_host: host } };
    await control(this.gateway, 'POST /providers', { body });
    await control(this.gateway, 'POST /providers', { body, workspace: 'other' });
  }

  async makeKey(workspace: string): Promise<{ readonly id: string; readonly key: string }> {
    const { id = '', key = '' } = await control(this.gateway, 'POST /api-keys/workspace/service', {
      body: { name: 'app', scopes: ['completions.write'], workspace_id: workspace },
    });
    return { id, key };
  }

  client(provider: string | undefined, apiKey: string = this.key): OpenAI {
    return new OpenAI({
      ...{ baseURL: this.gateway.baseUrl, apiKey, maxRetries: 0 },
      ...(provider === undefined ? {} : { defaultHeaders: { 'x-gw-provider': `@${provider}` } }),
    });
  }

  async stop(): Promise<void> {
    await this.#gateway?.stop();
    await Promise.all([this.native, this.anthropic, this.gemini].map((upstream) => upstream.close()));
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
