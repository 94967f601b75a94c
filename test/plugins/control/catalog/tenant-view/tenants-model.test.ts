import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TenantView } from '../../../../../plugins/sdk/control-plane/tenants.ts';
import type { TenantId } from '../../../../../plugins/sdk/exchange/exchange.ts';
import type { SavedRef } from '../../../../../schema/plan/plan.ts';
import { lawRuns, slowLawMs } from '../../../../support/run/law-runs.ts';
import { newSqliteStore } from '../../kernel/secrets/each-store.ts';
import { type FollowedStore, followedTenants } from './support/followed-tenants.ts';
import { type Saving, savingIn } from './support/saving.ts';

/** A plain model of what a tenant has saved: by slug, with the credential. */
interface Model {
  readonly providers: { readonly [slug: string]: string };
  readonly virtualKeys: { readonly [slug: string]: string };
  readonly configs: { readonly [slug: string]: string };
  readonly defaultConfig: string | undefined;
}

const empty: Model = { providers: {}, virtualKeys: {}, configs: {}, defaultConfig: undefined };

const slug = fc.constantFrom('a', 'b');
const which = fc.nat(1);
const where = { process: which, tenant: which, slug };
const step = fc.oneof(
  fc.record({ ...where, do: fc.constant('provider' as const), key: fc.uuid() }),
  fc.record({ ...where, do: fc.constant('virtual key' as const), key: fc.uuid() }),
  fc.record({ ...where, do: fc.constant('config' as const), key: fc.uuid() }),
  fc.record({ ...where, do: fc.constant('no provider' as const) }),
  fc.record({ ...where, do: fc.constant('no config' as const) }),
  fc.record({ ...where, do: fc.constant('default' as const) }),
  fc.record({
    process: which,
    do: fc.constant('lose' as const),
    answers: fc.constantFrom('never' as const, 'with an error' as const),
  }),
  fc.record({ process: which, do: fc.constant('find' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Write = Exclude<Step, { do: 'lose' | 'find' }>;

const without = (things: { readonly [slug: string]: string }, name: string) =>
  Object.fromEntries(Object.entries(things).filter(([each]) => each !== name));

/** Saves a change and returns the model with it. */
const written = async (model: Model, each: Write, { saving, tenant }: { saving: Saving; tenant: TenantId }) => {
  const { slug: name } = each;
  switch (each.do) {
    case 'provider': {
      await saving.provider(tenant, { slug: name, key: each.key });
      const providers = { ...model.providers, [name]: each.key };
      return { ...model, providers, virtualKeys: without(model.virtualKeys, name) };
    }
    case 'virtual key': {
      await saving.provider(tenant, { slug: name, key: each.key, kind: 'virtual-key' });
      const virtualKeys = { ...model.virtualKeys, [name]: each.key };
      return { ...model, virtualKeys, providers: without(model.providers, name) };
    }
    case 'config':
      await saving.config(tenant, { slug: name, key: each.key });
      return { ...model, configs: { ...model.configs, [name]: each.key } };
    case 'no provider':
      await saving.remove('providers', tenant, name);
      return {
        ...model,
        providers: without(model.providers, name),
        virtualKeys: without(model.virtualKeys, name),
      };
    case 'no config':
      await saving.remove('configs', tenant, name);
      return { ...model, configs: without(model.configs, name) };
    case 'default':
      await saving.settings(tenant, { config: name });
      return { ...model, defaultConfig: name };
  }
};

/** Returns every reference to a secret in a view. */
const referencesIn = ({ saved }: TenantView): readonly SavedRef[] =>
  (JSON.stringify(saved).match(/\$\{saved:[^{}]+\}/g) ?? []) as SavedRef[];

/** Converts a view to the plain model, which has slugs only. */
const toModel = async (view: TenantView | undefined): Promise<Model> => {
  if (view === undefined) return empty;
  const toKeys = (things: TenantView['saved']['providers']): { readonly [name: string]: string } =>
    Object.fromEntries(
      Object.entries(things).flatMap(([name, { credential }]) =>
        name.length > 1 ? [] : [[name, view.secrets(credential?.api_key as SavedRef) ?? 'missing']],
      ),
    );
  const configs = [...view.configNames()].map(async (name) => {
    const { api_key } = JSON.parse((await view.config(name)?.text()) ?? '{}');
    return [name, String(api_key)] as const;
  });
  return {
    providers: toKeys(view.saved.providers),
    virtualKeys: toKeys(view.saved.virtualKeys),
    configs: Object.fromEntries(await Promise.all(configs)),
    defaultConfig: view.defaultConfig,
  };
};

/** Returns everything that can be read in a view, including secrets. */
const toText = (view: TenantView | undefined, model: Model): string =>
  view === undefined ? '' : JSON.stringify([view.saved, referencesIn(view).map(view.secrets), model]);

const keysIn = ({ providers, virtualKeys, configs }: Model): readonly string[] =>
  [providers, virtualKeys, configs].flatMap((things) => Object.values(things));

interface Side {
  readonly saving: Saving;
  readonly process: FollowedStore;
  /** What the process must know of each tenant. */
  seen: readonly Model[];
}

/** Lets as much time pass as a process may take, and returns whether it must have seen all changes by then. */
const passTime = async ({ process }: Side, wasThere: boolean): Promise<boolean> => {
  // A query without an answer is abandoned after five seconds. Otherwise one second must be enough.
  await process.pass(wasThere ? 750 : 5000);
  await process.pass(250);
  return process.answers === 'truly';
};

it(
  'two processes see each tenant as a plain model does, within a second, and no credential of another tenant',
  async () => {
    const open = newSqliteStore();
    const stores = [await open(), await open()] as const;
    const first = await savingIn(stores[0]);
    const savings = [first, await savingIn(stores[1], first.sealer)] as const;

    const law = async (steps: readonly Step[]): Promise<void> => {
      const organisation = await first.organisation();
      const tenants = [await first.workspace(organisation), await first.workspace(organisation)] as const;
      let models: readonly Model[] = tenants.map(() => empty);
      const sides = savings.map(
        (saving, at): Side => ({
          saving,
          process: followedTenants(stores[at] ?? stores[0], first.sealer),
          seen: models,
        }),
      );
      /** The credentials that each tenant has ever saved. */
      const everSaid = tenants.map(() => new Set<string>());

      const check = async ({ process, seen }: Side): Promise<void> => {
        for (const [index, tenant] of tenants.entries()) {
          const view = await process.tenants.view(tenant);
          const model = await toModel(view);
          expect(model).toEqual(seen[index]);
          const text = toText(view, model);
          for (const key of everSaid[1 - index] ?? []) expect(text).not.toContain(key);
        }
      };

      const play = async (each: Step, { saving, process }: Side): Promise<void> => {
        if (each.do === 'lose') process.answers = each.answers;
        else if (each.do === 'find') process.answers = 'truly';
        else {
          const at = each.tenant;
          const tenant = tenants[at] ?? tenants[0];
          const model = await written(models[at] ?? empty, each, { saving, tenant });
          models = models.with(at, model);
          for (const key of keysIn(model)) everSaid[at]?.add(key);
        }
      };

      for (const side of sides) {
        await side.process.tenants.start();
        await check(side);
      }
      for (const each of steps) {
        const wasThere = sides.map(({ process }) => process.answers === 'truly');
        await play(each, sides[each.process] as Side);
        for (const [index, side] of sides.entries()) {
          if (await passTime(side, wasThere[index] === true)) side.seen = models;
          await check(side);
        }
      }
      for (const { process } of sides) process.tenants.close();
    };

    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 12 }), law), {
      ...lawRuns,
      numRuns: Math.ceil(lawRuns.numRuns / 20),
    });
  },
  slowLawMs,
);
