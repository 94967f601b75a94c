import type { KyselyPlugin } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createPromptFinder } from '../../../../plugins/control/catalog/prompts/prompts-of.ts';
import { createTenants } from '../../../../plugins/control/catalog/tenant-view/create-tenants.ts';
import { controlRoutes } from '../../../../plugins/control/control-routes.ts';
import { withStoreFailures } from '../../../../plugins/control/store-failures.ts';
import { systemClock } from '../../../../runtime/in-memory/system-clock.ts';
import type { Json } from '../../../../schema/json/json.ts';
import { type Answered, type ControlWorld, controlWorld } from '../support/control-world.ts';

interface InterruptedWorld extends ControlWorld {
  /** Runs `run` once, when the routes have read from the store this many times. */
  interruptAfter(reads: number, run: () => Promise<unknown>): void;
}

/** A world with all routes, which can be interrupted after each of their reads outside of transactions. */
const interruptedWorld = async (): Promise<InterruptedWorld> => {
  let interruption: { left: number; run: () => Promise<unknown> } | undefined;
  const interrupting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (interruption === undefined) return result;
      interruption.left -= 1;
      if (interruption.left > 0) return result;
      const { run } = interruption;
      interruption = undefined;
      await run();
      return result;
    },
  };
  const world = await controlWorld({
    routes: (parts) => {
      const store = { ...parts.store, db: parts.store.db.withPlugin(interrupting) };
      const { viewNow } = createTenants({ ...parts, store, clock: systemClock });
      const whole = { ...parts, store, readView: viewNow, now: () => Date.now() };
      return withStoreFailures(controlRoutes(whole, createPromptFinder({ store })));
    },
  });
  return {
    ...world,
    interruptAfter: (reads, run) => {
      interruption = { left: reads, run };
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
};

type Use = readonly [request: `${string} /${string}`, body?: Json];

interface Kind {
  readonly path: string;
  readonly body: Json;
  /** The requests that name a record by its path or in their bodies. */
  readonly uses: readonly Use[];
}

const prompt = { name: 'n', string: 'Hello.', parameters: {} };
const secret = { values: { '/config/api_key': 'a value' } };

/** `NAME` stands for the slug of a record, or for its id if it has none. */
const kinds: Readonly<Record<string, Kind>> = {
  config: {
    path: '/configs',
    body: { name: 'n', config: { provider: 'echo', override_params: { model: 'm' } } },
    uses: [
      ['GET /configs/NAME'],
      ['PUT /configs/NAME', { name: 'other' }],
      ['PUT /configs/NAME', { config: { provider: 'echo' } }],
      ['PUT /configs/NAME', { version: 1 }],
      ['PUT /configs/NAME?dry_run=true', { config: { provider: 'echo' } }],
      ['GET /configs/NAME/versions'],
      ['GET /configs/NAME/diff'],
      ['POST /configs/NAME/compare', secret],
      ['POST /virtual-models', { name: 'of-NAME', target: 'config:NAME' }],
      ['POST /virtual-models?dry_run=true', { name: 'of-NAME', target: 'config:NAME' }],
      ['POST /api-keys/workspace/service', { name: 'n', scopes: ['logs.list'], defaults: { config_id: 'NAME' } }],
      ['DELETE /configs/NAME'],
    ],
  },
  provider: {
    path: '/providers',
    body: { name: 'n', provider: 'echo' },
    uses: [
      ['GET /providers/NAME'],
      ['PUT /providers/NAME', { name: 'other' }],
      ['POST /providers/NAME/compare', secret],
      ['POST /configs', { name: 'n', config: { provider: '@NAME' } }],
      ['POST /virtual-models', { name: 'of-NAME', target: '@NAME/m' }],
      ['POST /prompts', { ...prompt, virtual_key: '@NAME' }],
    ],
  },
  integration: {
    path: '/integrations',
    body: { name: 'n', provider: 'echo' },
    uses: [
      ['GET /integrations/NAME'],
      ['PUT /integrations/NAME', { name: 'other' }],
      ['GET /integrations/NAME/models'],
      ['PUT /integrations/NAME/models', { models: [{ slug: 'm', enabled: true }] }],
      ['POST /providers', { name: 'n', integration_id: 'NAME' }],
    ],
  },
  guardrail: {
    path: '/guardrails',
    body: { name: 'n', checks: [{ id: 'contains', parameters: { words: ['word'], operator: 'none' } }] },
    uses: [
      ['GET /guardrails/NAME'],
      ['PUT /guardrails/NAME', { name: 'other' }],
      ['POST /configs', { name: 'n', config: { provider: 'echo', input_guardrails: ['NAME'] } }],
    ],
  },
  prompt: {
    path: '/prompts',
    body: { ...prompt, virtual_key: '@destination' },
    uses: [
      ['GET /prompts/NAME'],
      ['PUT /prompts/NAME', { patch: true, string: 'Bye.' }],
      ['GET /prompts/NAME/versions'],
      ['PUT /prompts/NAME/makeDefault', { version: 1 }],
      ['POST /prompts/NAME/render', { variables: {} }],
      ['POST /configs', { name: 'n', config: { prompt_id: 'NAME' } }],
    ],
  },
  partial: {
    path: '/prompts/partials',
    body: { name: 'n', string: 'Hello.' },
    uses: [
      ['GET /prompts/partials/NAME'],
      ['PUT /prompts/partials/NAME', { string: 'Bye.' }],
      ['GET /prompts/partials/NAME/versions'],
      ['POST /prompts', { ...prompt, string: '{{>NAME}}', virtual_key: '@destination' }],
      ['POST /prompts/partials', { name: 'n', string: '{{>NAME}}' }],
    ],
  },
  collection: {
    path: '/collections',
    body: { name: 'n' },
    uses: [
      ['GET /collections/NAME'],
      ['PUT /collections/NAME', { name: 'other' }],
      ['POST /prompts', { ...prompt, collection_id: 'NAME', virtual_key: '@destination' }],
    ],
  },
  workspace: {
    path: '/workspaces',
    body: { name: 'n' },
    uses: [
      ['GET /workspaces/NAME'],
      ['PUT /workspaces/NAME', { settings: { metadata: { team: 'a' } } }],
      ['POST /api-keys/workspace/service', { name: 'n', workspace_id: 'NAME', scopes: ['logs.list'] }],
      ['POST /configs', { name: 'n', workspace_id: 'NAME', config: { provider: 'echo' } }],
    ],
  },
};

/** More reads than any route makes. */
const maxReads = 40;

describe('a record that is deleted while a request that names it is running', () => {
  it.each(Object.entries(kinds))('is missing, or the request succeeds or can be repeated: %s', async (_, kind) => {
    await using world = await interruptedWorld();
    const { ask } = world;
    expect(await ask('/providers', { json: { name: 'd', slug: 'destination', provider: 'echo' } })).toMatchObject({
      status: 200,
    });
    const wrong: string[] = [];
    /** Returns whether the record was deleted before the response. */
    const send = async ([request, body]: Use, reads: number): Promise<boolean> => {
      const made = await ask(kind.path, { json: kind.body });
      expect(made).toMatchObject({ status: 200 });
      const name: string = made.body.slug ?? made.body.data?.slug ?? made.body.id;
      const [method = '', path = ''] = request.replaceAll('NAME', name).split(' ');
      const json = body === undefined ? {} : { json: JSON.parse(JSON.stringify(body).replaceAll('NAME', name)) };
      let deleted: Answered | undefined;
      world.interruptAfter(reads, async () => {
        deleted = await ask(`${kind.path}/${name}`, { method: 'DELETE' });
      });
      const { status, body: answer } = await ask(path, { method, ...json });
      const isNamedInPath = request.includes('/NAME');
      if (![200, 400, 409, ...(isNamedInPath ? [404] : [])].includes(status))
        wrong.push(`${request} after ${reads} reads: ${status} ${answer.error?.message}`);
      return deleted !== undefined;
    };
    for (const use of kind.uses) for (let reads = 1; reads <= maxReads && (await send(use, reads)); reads += 1);
    expect(wrong).toEqual([]);
  });
});
