import { gatewayError } from '../../../schema/errors/errors.ts';
import type { LogReplayed, ReplayedWay } from '../../../schema/forecast/log-replay.ts';
import type { JsonObject } from '../../../schema/json/json.ts';
import type { RoutingPlan } from '../../../schema/plan/plan.ts';
import type { ParameterSchema } from '../../sdk/parameters/from-schema.ts';
import { defineRoute } from '../../sdk/route/define-route.ts';
import { type ConfigService, createConfigService } from '../catalog/configs/config-service.ts';
import { refuseErrors } from '../catalog/configs/validate-config.ts';
import { withPlace } from '../kernel/fairness/shared-pools.ts';
import type { ControlRoute } from '../kernel/requests/control-route.ts';
import { conflict, memberProblem, refuse, rejectNulCharacters } from '../kernel/requests/refusals.ts';
import { objectSchema, ok, orNull, text, textOrNull, titled } from '../kernel/requests/replies.ts';
import { type KeyScope, resolveCaller } from '../kernel/requests/request-scope.ts';
import type { Scope } from '../kernel/requests/scopes.ts';
import type { ControlParts } from '../kernel/resource/control-parts.ts';
import { inTurn } from '../work/trials/trial-rate.ts';
import { getRecord, type WholeRecord } from './records/record-store.ts';
import { wholeRecordView } from './records/record-view.ts';
import type { LogParts } from './writer/log-store.ts';

/** The scope for the log. */
const scope = 'logs.view';

/** The scope for configs, because the result reveals parts of one. */
const configScope: Scope = 'configs.read';

const body = {
  type: 'object',
  required: ['config'],
  properties: {
    config: {
      anyOf: [
        { type: 'string', minLength: 1, maxLength: 255 },
        { type: 'object', additionalProperties: true },
      ],
      description: 'The slug or id of a saved config, or an unsaved config of at most 256 KB of JSON.',
    },
    version: {
      type: 'integer',
      minimum: 1,
      maximum: 1000,
      description: 'The number of a version of the saved config; the one in service if absent.',
    },
  },
} as const satisfies ParameterSchema;

const integer = { type: 'integer' } as const;

const way = objectSchema({
  status: orNull({ ...integer, description: 'Null if it is not known.' }),
  cause: { ...textOrNull, description: 'The code of the error, if the gateway itself answers.' },
  calls: {
    type: 'array',
    description: 'Each attempt, in order.',
    items: objectSchema({ target: text, status: integer }),
  },
  trail: {
    type: 'array',
    description: 'The decisions as in the record, up to the first that is not known.',
    items: { type: 'object', additionalProperties: true },
  },
});

const version = objectSchema({ slug: text, version: integer });

const reply = titled(
  'LogReplay',
  objectSchema({
    object: { const: 'log-replay' },
    log_id: text,
    outcome: {
      type: 'string',
      enum: ['unchanged', 'elsewhere', 'refused', 'undecided'],
      description:
        'unchanged: its calls and its status stay the same; refused: it now calls no provider; undecided: a condition reads what the log does not have.',
    },
    text: { type: 'string', description: 'The outcome for people, as gw replay prints it.' },
    config: { ...orNull(version), description: 'The saved config; null for a config in the request.' },
    recorded_on: {
      ...orNull(version),
      description:
        'The saved version that served the request, whose choices the conditions use; null if it is not found.',
    },
    lacks: { type: 'array', items: text, description: 'Facts that conditions read but the log does not have.' },
    before: way,
    after: way,
  }),
);

const toWay = ({ status, cause, trail }: ReplayedWay): JsonObject => ({
  status,
  cause: cause ?? null,
  calls: trail.flatMap((event) => (event.kind === 'attempted' ? [{ target: event.target, status: event.status }] : [])),
  trail: trail as unknown as readonly JsonObject[],
});

/** Finds the record of a request that the gateway has served. Rejects with the `GatewayError`s `not-found` and `conflict`. */
const findServed = async (
  { store }: Pick<LogParts, 'store'>,
  { tenant }: KeyScope,
  id: string,
): Promise<WholeRecord> => {
  const row = await getRecord(store(), tenant, id);
  if (row.source === 'sent')
    throw conflict(
      'This record was sent to the log: the gateway did not serve its request.',
      'Use the id of another one.',
    );
  return row;
};

interface ReplayedOn {
  readonly plan: RoutingPlan;
  readonly saved: { readonly slug: string; readonly version: number } | null;
}

/** Compiles the config of a body. Rejects with the `GatewayError`s `not-found`, `conflict` and `invalid-input`. */
const compileOn = async (
  configs: ConfigService,
  caller: KeyScope,
  { config, version }: { readonly config: string | JsonObject; readonly version?: number | undefined },
): Promise<ReplayedOn> => {
  if (typeof config === 'string') {
    const { plan, ...saved } = await configs.compileVersion({ caller, name: config }, version);
    return { plan, saved };
  }
  if (version !== undefined)
    refuse([memberProblem('version', 'A config that is not saved has no versions.', 'Omit "version".')]);
  const validated = await configs.tryNew(caller, { name: 'replay', slug: 'replay', config, is_default: false });
  refuseErrors(validated);
  const { plan } = validated.result;
  if (plan === undefined) throw new Error('A config without errors has no plan.');
  return { plan, saved: null };
};

const toReply = (
  { kind, text: outcome, lacks, before, after }: LogReplayed,
  about: { readonly log_id: string; readonly config: JsonObject | null; readonly recorded_on: JsonObject | null },
): JsonObject => ({
  object: 'log-replay',
  outcome: kind,
  text: outcome,
  ...about,
  lacks,
  before: toWay(before),
  after: toWay(after),
});

/** Creates the route that reports where a logged request would have gone with another config. Nothing is sent. */
export const replayRoutes = (log: Pick<LogParts, 'store'>, parts: ControlParts): readonly ControlRoute[] => {
  const configs = createConfigService(parts);
  return [
    defineRoute({
      method: 'POST',
      path: '/logs/{id}/replay',
      operationId: 'replay_log',
      summary:
        'Reports where a request would have gone with another config. Nothing is sent. Also requires the scope configs.read.',
      scope,
      body,
      replies: { 200: reply },
      handle: async ({ params, body: asked }, context) => {
        rejectNulCharacters(asked);
        const caller = resolveCaller(context, scope);
        if (context.principal.scopes?.has(configScope) !== true)
          throw gatewayError('missing-scope', { scope: configScope });
        const { tenant } = caller;
        const claimant = { tenant, cancellation: context.cancellation };
        const row = await withPlace(parts.pools.logReads, claimant, () => findServed(log, caller, params.id));
        return inTurn(parts, { what: 'replays of requests', ...claimant }, async () => {
          const { plan, saved } = await compileOn(configs, caller, asked);
          const { config, plan: label, created_at: at } = row;
          const from =
            config === null || label === null
              ? undefined
              : await configs.findServing({ caller, name: config }, { at, plan: label });
          const on = { plan, ...(from === undefined ? {} : { from: from.plan }) };
          const replayed = await parts.replayLogged(tenant, JSON.stringify(wholeRecordView(row)), on);
          if (replayed === undefined)
            throw conflict('A mirror sent this copy of a request.', 'Use the id of the original request.');
          const recorded = from === undefined ? null : { slug: from.slug, version: from.version };
          return ok(toReply(replayed, { log_id: row.id, config: saved && { ...saved }, recorded_on: recorded }));
        });
      },
    }),
  ];
};
