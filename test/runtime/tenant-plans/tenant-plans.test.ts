import { expect, it } from 'vitest';
import type { StoredPrompt } from '../../../plugins/sdk/control-plane/stored-prompt.ts';
import type { TenantConfig, TenantView } from '../../../plugins/sdk/control-plane/tenants.ts';
import type { TenantId } from '../../../plugins/sdk/exchange/exchange.ts';
import { neverCancelled } from '../../../plugins/sdk/time/cancellation.ts';
import { createVirtualClock } from '../../../plugins/testkit/route/virtual-clock.ts';
import { LinkError } from '../../../runtime/engine/link-error.ts';
import { CompileShares } from '../../../runtime/tenant-plans/compile-shares.ts';
import { createPlanCache } from '../../../runtime/tenant-plans/plan-cache.ts';
import { requestPlan } from '../../../runtime/tenant-plans/request-plan.ts';
import { createTenantPlans, type TenantChoice } from '../../../runtime/tenant-plans/tenant-plans.ts';
import { nothingSaved } from '../../../schema/config/saved.ts';
import { gatewayError } from '../../../schema/errors/errors.ts';
import type { CompileResult } from '../../../schema/plan/plan.ts';
import { fakeLinkedPlan } from '../../support/plans/fake-linked-plan.ts';
import { answer, startServer } from '../server/support/start-server.ts';

const tenant = 'one' as TenantId;

interface Said {
  readonly version?: string;
  /** The version of each config by slug. Its id is `id-<slug>`. */
  readonly configs: { readonly [slug: string]: string };
}

/** Returns a prompt that does not change the body. */
const toPrompt = (reference: string): StoredPrompt => ({
  ...{ slug: reference, versionId: 'v1', virtualKey: 'key', kind: 'chat', bytes: 1 },
  fill: (body) => body,
});

const readView = ({ version = '1', configs }: Said, asked: string[]): TenantView => {
  const findConfig = (slug: string): TenantConfig | undefined =>
    Object.hasOwn(configs, slug)
      ? {
          name: slug,
          version: configs[slug] ?? '',
          text: async () => {
            asked.push(`text of ${slug}`);
            return `${slug} ${configs[slug]}`;
          },
        }
      : undefined;
  return {
    version,
    saved: nothingSaved,
    secrets: (ref) => `${ref} of ${version}`,
    prompts: async (references) => {
      asked.push(`prompts ${references}`);
      return new Map(references.filter((each) => each !== 'gone').map((each) => [each, toPrompt(each)]));
    },
    config: (name) => findConfig(name.replace(/^id-/, '')),
    configNames: () => Object.keys(configs),
  };
};

/** Creates the plans of tenants with the given views, and records what is done for them. */
const toPlans = (
  views: { [name: string]: TenantView },
  { fails = false, shares }: { readonly fails?: boolean; readonly shares?: CompileShares } = {},
) => {
  const done: string[] = [];
  const compile = (text: string, name: string): CompileResult => {
    done.push(`compile ${text}`);
    return { plan: { ...requestPlan, name }, secrets: [], diagnostics: [] };
  };
  const plans = createTenantPlans({
    tenants: { view: (name) => views[name] },
    secrets: () => undefined,
    load: async ({ prompts }) => {
      const found = Object.keys(prompts?.found ?? {});
      done.push(found.length === 0 ? 'load' : `load ${found}${prompts?.mayBeGone === true ? ' or none' : ''}`);
      return {
        compileSaved: compile,
        compileCaller: (text) => compile(text, 'caller'),
        withDefaultHooks: (plan) => plan,
      };
    },
    link: (plan, { secrets, prompts = new Map() }) => {
      if (fails) throw new LinkError(plan.name, ['The secret is missing.']);
      const also = prompts.size === 0 ? '' : ` and ${[...prompts.keys()]}`;
      done.push(`link ${plan.name} with ${secrets('${env:A}')}${also}`);
      return fakeLinkedPlan(plan);
    },
    provider: () => undefined,
    cache: createPlanCache({ check: () => undefined }),
    ...(shares === undefined ? {} : { shares }),
  });
  const choice = async (name: TenantId = tenant): Promise<TenantChoice> => {
    const found = await plans.of(name);
    if (found === undefined) throw new Error('This tenant has saved nothing.');
    return found;
  };
  return { done, choice, plans };
};

it('a change of one config compiles and links only that config', async () => {
  const texts: string[] = [];
  const views = { [tenant]: readView({ configs: { a: '1', b: '1' } }, texts) };
  const { done, choice } = toPlans(views);
  const before = await choice();
  const [a] = await Promise.all([before.saved('a'), before.saved('b'), before.saved('a')]);
  const caller = await before.callerPlans.get('{}');
  expect(done.sort()).toEqual([
    'compile a 1',
    'compile b 1',
    'compile {}',
    'link a with ${env:A} of 1',
    'link b with ${env:A} of 1',
    'link caller with ${env:A} of 1',
    'load',
  ]);
  done.length = texts.length = 0;
  views[tenant] = readView({ configs: { a: '1', b: '2' } }, texts);
  const after = await choice();
  expect(after).not.toBe(before);
  expect(after.saved('a')).toBe(a);
  expect(after.callerPlans.get('{}')).toBe(caller);
  await after.saved('b');
  expect(done).toEqual(['compile b 2', 'link b with ${env:A} of 1']);
  expect(texts).toEqual(['text of b']);
});

it('a change of what configs can refer to compiles and links the requested configs again', async () => {
  const views = { [tenant]: readView({ configs: { a: '1', b: '1' } }, []) };
  const { done, choice } = toPlans(views);
  await (await choice()).saved('a');
  done.length = 0;
  views[tenant] = readView({ version: '2', configs: { a: '1', b: '1' } }, []);
  await (await choice()).saved('a');
  expect(done).toEqual(['load', 'compile a 1', 'link a with ${env:A} of 2']);
});

it('the prompts of a config are loaded before it is compiled, and are linked with it', async () => {
  const asked: string[] = [];
  const text = JSON.stringify({ strategy: {}, targets: [{ prompt_id: 'hi' }, { prompt_id: 'gone' }] });
  const config: TenantConfig = { name: 'a', version: '1', text: () => text };
  const views = { [tenant]: { ...readView({ configs: {} }, asked), config: () => config } };
  const { done, choice } = toPlans(views);
  const found = await choice();
  const plan = await found.saved('a');
  expect(done).toEqual(['load', 'load hi or none', `compile ${text}`, 'link a with ${env:A} of 1 and hi']);
  expect(found.saved('a')).toBe(plan);
  done.length = 0;
  const header = '{"prompt_id":"hi"}';
  const caller = await found.callerPlans.get(header);
  expect(found.callerPlans.get(header)).toBe(caller);
  await found.callerPlans.get('{}');
  expect(done).toEqual([
    'load hi',
    `compile ${header}`,
    'link caller with ${env:A} of 1 and hi',
    'compile {}',
    'link caller with ${env:A} of 1',
  ]);
  expect(asked).toEqual(['prompts hi,gone', 'prompts hi']);
});

it('an unreadable prompt rejects with its error, and is read again for the next request', async () => {
  let isUnavailable = true;
  const view = readView({ configs: {} }, []);
  const config: TenantConfig = { name: 'a', version: '1', text: () => '{"prompt_id":"hi"}' };
  const prompts: TenantView['prompts'] = async (references) => {
    if (isUnavailable) throw gatewayError('store-unavailable', {});
    return view.prompts(references);
  };
  const { choice } = toPlans({ [tenant]: { ...view, prompts, config: () => config } });
  const found = await choice();
  const unavailable = { report: { code: 'store-unavailable' } };
  await expect(found.saved('a')).rejects.toMatchObject(unavailable);
  await expect(found.callerPlans.get('{"prompt_id":"hi"}')).rejects.toMatchObject(unavailable);
  isUnavailable = false;
  expect(await found.saved('a')).toHaveProperty('linked');
  expect(await found.callerPlans.get('{"prompt_id":"hi"}')).toHaveProperty('linked');
});

it('a config has one plan, whichever of its names is requested', async () => {
  const { done, choice } = toPlans({ [tenant]: readView({ configs: { a: '1' } }, []) });
  const found = await choice();
  const plan = await found.saved('id-a');
  expect(found.saved('a')).toBe(plan);
  expect(plan).toMatchObject({ linked: { plan: { name: 'a' } } });
  expect(done).toHaveLength(3);
  expect(found.saved('b')).toBeUndefined();
});

it('configs of two tenants with equal names and versions have separate plans', async () => {
  const said = { configs: { a: '1' } };
  const { choice } = toPlans({ [tenant]: readView(said, []), two: readView(said, []) });
  const [mine, theirs] = await Promise.all([choice(), choice('two' as TenantId)]);
  expect(await mine.saved('a')).not.toBe(await theirs.saved('a'));
  expect(await mine.callerPlans.get('{}')).not.toBe(await theirs.callerPlans.get('{}'));
});

it('an unreadable text rejects with its error, and is read again for the next request', async () => {
  let isUnavailable = true;
  const view = readView({ configs: { a: '1' } }, []);
  const away: TenantConfig = {
    name: 'a',
    version: '1',
    text: () => {
      if (isUnavailable) throw gatewayError('store-unavailable', {});
      return 'a 1';
    },
  };
  const { choice } = toPlans({ [tenant]: { ...view, config: () => away } });
  const found = await choice();
  await expect(found.saved('a')).rejects.toMatchObject({ report: { code: 'store-unavailable', status: 503 } });
  isUnavailable = false;
  expect(await found.saved('a')).toMatchObject({ linked: {} });
});

it('a plan that does not link is reported as an error for the operator to correct', async () => {
  const { choice } = toPlans({ [tenant]: readView({ configs: { a: '1' } }, []) }, { fails: true });
  await expect((await choice()).saved('a')).rejects.toMatchObject({ report: { code: 'saved-not-usable' } });
});

it('a tenant that has saved nothing has no plans', async () => {
  const { plans } = toPlans({});
  expect(await plans.of(tenant)).toBeUndefined();
});

it('a request gets a retry-after header if the records of its tenant cannot be read', async () => {
  await using server = await startServer({
    admission: { open: true },
    execute: () => answer('{}'),
    tenants: { of: () => Promise.reject(gatewayError('store-unavailable', {})) },
  });
  const response = await fetch(`${server.origin}/v1/models`, { headers: { 'x-gw-config': 'prod' } });
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await response.json()).toMatchObject({ error: { code: 'store-unavailable', type: 'gateway_error' } });
});

it('the configs of a tenant are compiled in its share of the time, when they are first used', async () => {
  const virtual = createVirtualClock();
  let spent = 0;
  // Each compilation takes 100 ms.
  const monotonic = (): number => virtual.monotonic() + spent;
  const shares = new CompileShares({ monotonic, after: virtual.after });
  const other = 'other' as TenantId;
  const views = { [tenant]: readView({ configs: { b: '1' } }, []), [other]: readView({ configs: { a: '1' } }, []) };
  const { done, choice, plans } = toPlans(views, { shares });
  const took = () => {
    spent += 100;
  };
  await shares.run({ principal: { tenant }, cancellation: neverCancelled }, took);
  const waits = (await choice()).saved('b');
  const calm = await plans.of(other);
  await calm?.saved('a');
  expect(done.filter((each) => each.startsWith('compile'))).toEqual(['compile a 1']);
  virtual.advance(1000);
  await waits;
  expect(done.filter((each) => each.startsWith('compile'))).toEqual(['compile a 1', 'compile b 1']);
});
