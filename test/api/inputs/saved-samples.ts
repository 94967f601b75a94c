import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { knownName, type Place, type World } from '../run/world.ts';
import { newSecret } from './destinations.ts';

type Sample = (world: World, place: Place) => Json;

const named = (world: World, place: Place, collection: string): string =>
  knownName(world, place, collection) ?? world.random.pick(['no-such-thing', '00000000-0000-7000-8000-000000000000']);

const target: Sample = (world, place) =>
  world.random.pick<() => JsonObject>([
    () => ({ provider: 'echo' }),
    () => ({ virtual_key: named(world, place, '/virtual-keys') }),
    () => ({ provider: `@${named(world, place, '/providers')}` }),
    () => ({ provider: 'openai', api_key: newSecret(), custom_host: world.upstream }),
    () => ({ provider: 'echo', override_params: { model: 'echo', temperature: 0.5 } }),
    () => ({ prompt_id: named(world, place, '/prompts'), provider: 'echo' }),
  ])();

/** Generates configs, most of which compile. */
export const sampleConfig: Sample = (world, place) => {
  const targets = (): Json => Array.from({ length: 1 + world.random.below(3) }, () => target(world, place));
  return world.random.pick<() => Json>([
    () => target(world, place),
    () => target(world, place),
    () => ({ strategy: { mode: 'fallback' }, targets: targets() }),
    () => ({ strategy: { mode: 'loadbalance' }, targets: targets() }),
    () => ({ provider: 'echo', input_guardrails: [named(world, place, '/guardrails')] }),
    () => ({ provider: 'echo', retry: { attempts: 2, on_status_codes: [503] }, request_timeout: 5000 }),
    () => ({ provider: 'echo', cache: { mode: 'simple', max_age: 60 } }),
    () => ({ strategy: { mode: 'fallback' }, targets: [] }),
    () => ({ provider: 'openia' }),
    () => ({}),
  ])();
};

/** Generates checks, most of which exist. */
export const sampleChecks: Sample = (world) =>
  Array.from({ length: 1 + world.random.below(2) }, () =>
    world.random.pick<() => JsonObject>([
      () => ({ id: 'contains', parameters: { words: ['password'], operator: 'none' } }),
      () => ({ id: 'default.contains', parameters: { words: ['a', 'b'], operator: 'any' } }),
      () => ({ id: 'default.regexMatch', parameters: { rule: 'a+' } }),
      () => ({ id: 'default.regexMatch', parameters: { rule: '(a+)+$(' } }),
      () => ({
        id: 'default.webhook',
        parameters: { webhookURL: world.upstream, secretHeaders: { authorization: newSecret() } },
      }),
      () => ({ id: 'no.such.check', parameters: {} }),
    ])(),
  );

/** Generates prompt templates: lists of messages and texts, valid and invalid. */
export const sampleTemplate: Sample = (world, place) => {
  const partial = named(world, place, '/prompts/partials');
  const right = [
    '[{"role":"user","content":"Hello {{who}}!"}]',
    '[{"role":"system","content":"{{#items}}{{.}},{{/items}}{{^items}}none{{/items}}"},{"role":"user","content":"{{q}}"}]',
    `[{"role":"user","content":"{{>${partial}}} {{who}}"}]`,
    'Say {{who}}. {{a.b.c}}{{{raw}}}{{&same}}{{! nothing }}',
    `{{>${partial}}}`,
    `{{>${partial}@1}}`,
  ];
  const wrong = [
    '{{#open}} never closed',
    '[{"role":"user","content":"{{=<% %>=}}"}]',
    '[{"role":"user"',
    '\u0000',
    '{{#a}}'.repeat(40) + '{{/a}}'.repeat(40),
    '{{>no-such-partial}}',
  ];
  return world.random.pick(world.random.oneIn(5) ? wrong : right);
};

/** Generates the variables with which a prompt is rendered. */
export const sampleVariables: Sample = ({ random }) =>
  random.pick<Json>([
    {},
    { who: 'Ann', q: 'Why?', items: ['a', 'b'] },
    { who: '{{who}}', items: [{ a: 1 }, null], a: { b: { c: true } } },
    { who: 1e308, a: [], raw: '"}]', same: '\u2028' },
    { who: 'x'.repeat(100_000) },
  ]);

/** Generates an organisation's settings for tokens. */
export const sampleJwt: Sample = ({ random, upstream }) =>
  random.pick<Json>([
    null,
    null,
    {},
    { issuer: 'https://login.test/', audience: 'gateway', jwks_url: `${upstream}/keys` },
    { issuer: 'https://login.test/', audience: ['a', 'b'], jwks_url: `${upstream}/keys`, claims: { user: 'email' } },
    { issuer: '', audience: [], jwks_url: 'not a url', algorithms: ['none'], clock_tolerance_s: -1 },
    { issuer: 'https://login.test/', audience: 'gateway', jwks_url: 'http://169.254.169.254/' },
  ]);
