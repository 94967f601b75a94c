import type { JsonObject } from '../../../../schema/json/json.ts';
import type { ListedCircuit } from '../../../../schema/plan/circuits/listed-circuit.ts';
import { defineRoute } from '../../../sdk/route/define-route.ts';
import type { ControlRoute } from '../../kernel/requests/control-route.ts';
import { objectSchema, ok, orNull, textOrNull, titled } from '../../kernel/requests/replies.ts';
import { resolveWorkspace } from '../../kernel/requests/request-scope.ts';
import type { ControlParts } from '../../kernel/resource/control-parts.ts';

/** The maximum number of circuits in a list; further ones are only counted. */
const maxCircuits = 1000;

const seconds = { type: 'number', description: 'Seconds since the epoch.' } as const;

const circuit = titled(
  'Circuit',
  objectSchema({
    object: { const: 'circuit' },
    state: {
      type: 'string',
      enum: ['open', 'half-open', 'closed'],
      description: 'closed: it has counted failures, but is not open.',
    },
    config: { ...textOrNull, description: 'The config of the request that last changed it.' },
    path: { ...textOrNull, description: 'The place of the target in that config.' },
    target: textOrNull,
    kind: {
      ...orNull({ type: 'string', enum: ['credential', 'model', 'limit', 'target'] }),
      description:
        'The kind of failures that a divided breaker counts in this circuit; null if the breaker is not divided.',
    },
    model: textOrNull,
    failures: {
      type: 'integer',
      description: 'The number of counted failures, or of those that opened it, and of failed probes since.',
    },
    cause: {
      ...textOrNull,
      description: 'Its last failure: timeout, network, or upstream-503 for a status of the provider.',
    },
    opened_at: { ...orNull(seconds), description: 'When it opened; null if the circuit is closed.' },
    retry_at: {
      ...orNull(seconds),
      description: 'When a request may try the target again; null if the circuit is closed.',
    },
  }),
);

const reply = titled(
  'CircuitList',
  objectSchema({
    object: { const: 'list' },
    total: { type: 'integer' },
    data: { type: 'array', items: circuit, maxItems: maxCircuits },
  }),
);

const order = ['open', 'half-open', 'closed'];

/** Converts a time to seconds since the epoch, with milliseconds as decimals. */
const at = (now: number, ms: number | undefined): number | null =>
  ms === undefined ? null : Math.round(now + ms) / 1000;

const toView = ({ state, of, place, failures, cause, openMs, leftMs }: ListedCircuit, now: number): JsonObject => ({
  ...{ object: 'circuit', state },
  ...{ config: place?.config ?? null, path: place?.path ?? null, target: place?.target ?? null },
  ...{ kind: of?.kind ?? null, model: of?.model ?? null },
  ...{ failures, cause: cause ?? null },
  ...{ opened_at: at(now, openMs === undefined ? undefined : -openMs), retry_at: at(now, leftMs) },
});

/** Creates the route that lists the circuits of a workspace. */
export const circuitRoutes = ({ listCircuits, now }: ControlParts): readonly ControlRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/circuits',
    operationId: 'list_circuits',
    summary: 'Lists the circuits of the workspace that are open or have failures, over all workers of this gateway.',
    scope: 'configs.read',
    query: {
      type: 'object',
      properties: {
        config: {
          type: 'string',
          minLength: 1,
          maxLength: 255,
          description: 'Only circuits that requests of this config used.',
        },
      },
    },
    replies: { 200: reply },
    handle: ({ query: { config } }, context) => {
      const { tenant } = resolveWorkspace(context, 'configs.read');
      const all = listCircuits(tenant).filter(({ place }) => config === undefined || place?.config === config);
      const sorted = all.toSorted(
        (a, b) => order.indexOf(a.state) - order.indexOf(b.state) || (a.openMs ?? 0) - (b.openMs ?? 0),
      );
      const time = now();
      const data = sorted.slice(0, maxCircuits).map((each) => toView(each, time));
      return ok({ object: 'list', total: all.length, data });
    },
  }),
];
