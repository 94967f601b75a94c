import type { Json, JsonObject } from '../../../schema/json/json.ts';
import { anyName, knownName, type Place, type World } from '../run/world.ts';
import { sampleChecks, sampleConfig, sampleJwt, sampleTemplate, sampleVariables } from './saved-samples.ts';

type Hint = (world: World, place: Place) => Json | undefined;

const thing =
  (collection: string): Hint =>
  (world, place) =>
    anyName(world, place, collection);

const workspace: Hint = ({ random, places: [one, other] }, { id, slug }) =>
  random.pick([id, slug, one.id, other.slug, 'default', 'no-such-workspace']);

const seconds: Hint = ({ random }) =>
  Math.floor(Date.now() / 1000) + random.pick([3600, 86_400, 86_400, 31_536_000, -60]);

const policyKey: Hint = ({ random }) =>
  random.pick(['api_key', 'model', 'provider', 'virtual_key', 'config', 'metadata._user', 'metadata.a b', 'modle']);

/** Generates a Responses request, stored or not, that may continue another response. */
const sampleResponse: Hint = (world, place) => {
  const { random } = world;
  const previous = random.oneIn(3) ? anyName(world, place, '/responses') : undefined;
  return {
    model: random.pick(['@lasting/any', '@lasting/any', 'any']),
    input: random.pick<Json>(['Hi', [{ role: 'user', content: 'Hi' }]]),
    ...random.pick<JsonObject>([{}, { store: true }, { store: true, stream: true }, { background: true }]),
    ...(random.oneIn(10) ? { temperature: random.pick<Json>([0, 2, 2.1, 'hot']), metadata: { a: 'b' } } : {}),
    ...(previous === undefined ? {} : { previous_response_id: previous }),
  };
};

/**
 * Values for members, and for parameters of paths, that a schema cannot describe. Keyed by collection and name, or by name
 * alone.
 */
const hints: Readonly<Record<string, Hint>> = {
  workspace_id: workspace,
  '/integrations.workspaces.*': workspace,
  // Lists generated from the schema alone usually contain contradictory prices or the same model twice.
  '/integrations.models': ({ random }) => (random.oneIn(2) ? [] : undefined),
  organisation_id: ({ organisation, random }) => (random.oneIn(4) ? 'another-organisation' : organisation),
  'settings.config': thing('/configs'),
  'defaults.config_id': thing('/configs'),
  'settings.jwt': sampleJwt,
  'scopes.*': ({ random, scopes }) =>
    random.oneIn(30) ? 'no.such' : random.pick(scopes).replace('.', random.pick([':', '.'])),
  expires_at: seconds,
  'rotation_policy.next_rotation_at': seconds,
  key_transition_period_ms: ({ random }) => random.pick([1_800_000, 86_400_000, 0, 31_536_000_001]),
  next_usage_reset_at: ({ random }) => random.pick([null, null, 1_800_000_000]),
  '/policies/usage-limits.conditions.*.key': policyKey,
  '/policies/usage-limits.group_by.*.key': policyKey,
  '/policies/rate-limits.conditions.*.key': policyKey,
  '/policies/rate-limits.group_by.*.key': policyKey,
  '/batches.input_file_id': thing('/files'),
  '/batches.completion_window': ({ random }) => random.pick(['immediate', 'immediate', '24h', '48h']),
  '/batches.after': thing('/batches'),
  '/fine_tuning/jobs.training_file': thing('/files'),
  '/fine_tuning/jobs.validation_file': thing('/files'),
  '/fine_tuning/jobs.method': ({ random }) =>
    random.pick([
      { type: 'supervised' },
      { type: 'dpo', dpo: { hyperparameters: { beta: 0.1, n_epochs: 'auto' } } },
      { type: 'supervised', dpo: {} },
      {},
    ]),
  '/fine_tuning/jobs.role_arn': ({ random }) => (random.oneIn(30) ? 'arn:aws:iam::1:role/r' : undefined),
  '/fine_tuning/jobs.integrations': ({ random }) =>
    random.pick([null, [], [{ type: 'wandb', wandb: { project: 'p' } }], [{ type: 'wandb' }]]),
  '/fine_tuning/jobs.after': thing('/fine_tuning/jobs'),
  'gw_options.x-gw-config': thing('/configs'),
  'gw_options.x-gw-virtual-key': thing('/virtual-keys'),
  'gw_options.x-gw-provider': (world, place) => `@${anyName(world, place, '/providers') ?? 'main'}`,
  '/configs.config': sampleConfig,
  '/responses.': sampleResponse,
  '/files.after': thing('/files'),
  '/files.purpose': ({ random }) => random.pick(['batch', 'evals', 'fun']),
  '/guardrails.checks': sampleChecks,
  '/prompts.string': sampleTemplate,
  '/prompts/partials.string': sampleTemplate,
  '/prompts.virtual_key': (world, place) =>
    world.random.oneIn(3)
      ? `@${anyName(world, place, '/providers') ?? 'main'}`
      : anyName(world, place, '/virtual-keys'),
  collection_id: thing('/collections'),
  label: thing('/labels'),
  '/virtual-models.target': ({ random }) => random.pick(['@echo/m', '@echo/m', 'config:nobody', 'echo']),
  '/model-configs/pricing.{provider}': ({ random }) => random.pick(['openai', 'openai', 'anthropic', 'nobody']),
  '/model-configs/pricing.{model}': ({ random }) => random.pick(['gpt-4o-mini', 'gpt-4o-mini', 'no-such-model']),
  version: ({ random }) => random.pick([1, 1, 1, 2, 3, 4]),
  '/prompts.patch': ({ random }) => !random.oneIn(4),
  variables: sampleVariables,
  slug: (world, place) => (world.random.oneIn(15) ? knownName(world, place, '/configs') : undefined),
};

/** Returns a value for a member that its schema cannot describe, or undefined if the schema is enough. */
export const hintFor =
  (world: World, place: Place, collection: string) =>
  (path: readonly string[]): Json | undefined => {
    const names = [`${collection}.${path.join('.')}`, path.slice(-2).join('.'), path.at(-1) ?? ''];
    const name = names.find((each) => Object.hasOwn(hints, each));
    return name === undefined ? undefined : hints[name]?.(world, place);
  };
