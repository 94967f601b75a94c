import type { Exchange, TenantId } from '../../../../plugins/sdk/exchange/exchange.ts';
import { headerValue } from '../../../../plugins/sdk/http/http.ts';
import { callsNoModel } from '../../../../plugins/sdk/models/calls-no-model.ts';
import { findText } from '../../../../schema/json/loose.ts';
import type { CircuitPlace } from '../../../../schema/plan/circuits/circuit.ts';
import { circuitOutcome, circuitSettings, listCircuits } from '../../../../schema/plan/circuits/circuit-names.ts';
import type { BreakerStage, CircuitDivision, LeafNode, Target } from '../../../../schema/plan/plan.ts';
import { retryAfterMs } from '../../../../schema/plan/schedule.ts';
import { targetModel } from '../../../../schema/plan/target-model.ts';
import type { CircuitName } from '../../../../schema/trail/circuit-name.ts';
import type { MetCircuit } from '../../../ports/breakers.ts';
import type { Clock } from '../../../ports/clock.ts';
import { readableBody } from '../../call/readable-body.ts';
import { forwardedOwner } from '../../target/forwarded-owner.ts';
import type { PreparedTarget } from '../../target/prepared-target.ts';
import { toStateKey } from '../../target/state-key.ts';
import type { LeafCircuits } from './leaf-circuits.ts';

interface Divided {
  readonly leaf: LeafNode;
  readonly target: Target;
  readonly stage: BreakerStage;
  readonly by: readonly CircuitDivision[];
  readonly place: CircuitPlace;
}

/** The parts of a request and its target that its circuits depend on. */
interface Asked {
  readonly tenant: TenantId;
  readonly owner: string;
  /** The target's `credentialPlace`. */
  readonly place: string;
  readonly model: string | undefined;
}

/** Returns the model that a request names itself: the same on every read. */
const ownModel = (exchange: Exchange): string | undefined =>
  exchange.route.model ?? findText(readableBody(exchange)?.model) ?? exchange.formModel ?? undefined;

/**
 * Returns a function that reads which model a target is called with. Undefined if it calls none, or only a stored prompt names
 * it.
 */
const askedModel = (target: Target): ((exchange: Exchange) => string | undefined) => {
  const own = targetModel(target);
  return (exchange) => {
    if (exchange.route.operation === 'opaque' && callsNoModel(exchange.request)) return undefined;
    if (own !== undefined) return own;
    return target.prompt === undefined ? ownModel(exchange) : undefined;
  };
};

const toCircuit = (
  of: CircuitName,
  { leaf: { hash: leaf }, stage: { probe }, place: met }: Divided,
  asked: Asked,
): MetCircuit => {
  const { tenant, owner, place } = asked;
  // Leaves that probe differently, or not at all, do not share a circuit, because a circuit has one probe.
  const probed = probe === undefined ? '' : ` ${probe.path} ${probe.everyMs}`;
  const key =
    of.kind === 'credential'
      ? toStateKey({ tenant, owner: `${place} ${owner}${probed}`, of })
      : toStateKey({ tenant, leaf, owner, of });
  return { key, tenant, leaf, of, place: met };
};

const isSame = (a: Asked, b: Asked): boolean =>
  a.tenant === b.tenant && a.owner === b.owner && a.place === b.place && a.model === b.model;

/** Creates the circuits of a leaf whose breaker is divided by models, classes of errors, or both. */
export const dividedCircuits = (divided: Divided, { clock }: { readonly clock: Clock }): LeafCircuits => {
  const { target, stage, by } = divided;
  const modelOf = askedModel(target);
  // Most requests are like the previous one.
  let last: { readonly asked: Asked; readonly circuits: readonly MetCircuit[] } | undefined;
  return {
    meet(prepared: PreparedTarget, exchange) {
      const asked: Asked = {
        tenant: exchange.principal.tenant,
        owner: forwardedOwner(prepared, exchange),
        place: prepared.credentialPlace,
        model: modelOf(exchange),
      };
      if (last !== undefined && isSame(last.asked, asked)) return last.circuits;
      const circuits = listCircuits(by, asked.model).map((name) => toCircuit(name, divided, asked));
      last = { asked, circuits };
      return circuits;
    },
    judge({ of = { kind: 'target' } }, { outcome, response }) {
      const { status, origin, headers } = response;
      const verdict = circuitOutcome(of, by, { status, origin, failed: outcome === 'failure' });
      const isLimited = verdict === 'failure' && of.kind === 'limit';
      const askedMs = isLimited ? retryAfterMs((name) => headerValue(headers, name), clock.wall()) : undefined;
      return { outcome: verdict, settings: circuitSettings(of, stage, askedMs) };
    },
  };
};
