import { randomUUID } from 'node:crypto';
import type { Exchange } from '../../../../plugins/sdk/exchange/exchange.ts';
import { createHooks } from '../../../../plugins/sdk/hooks/hooks.ts';
import type { Cancellation } from '../../../../plugins/sdk/http/http.ts';
import { neverCancelled } from '../../../../plugins/sdk/time/cancellation.ts';
import { isSuccess } from '../../../../schema/http/status.ts';
import { isProbedCircuit } from '../../../../schema/plan/circuits/probed-circuits.ts';
import type { LeafNode, Probe, Target } from '../../../../schema/plan/plan.ts';
import type { ProbeJob } from '../../../in-memory/probes.ts';
import type { MetCircuit } from '../../../ports/breakers.ts';
import { linkAttempt } from '../../attempt/attempt.ts';
import type { LinkContext } from '../../call/context.ts';
import { LeafCall, type LeafStep } from '../../call/leaf-call.ts';
import { Run } from '../../call/run.ts';
import { discard } from '../../error-responses/discard.ts';
import { createNotices } from '../../plugins/notices.ts';
import { observeEvent } from '../../plugins/observe.ts';
import { forwardedOwner } from '../../target/forwarded-owner.ts';
import type { PreparedTarget } from '../../target/prepared-target.ts';

/** The probes of a leaf's circuits. */
export interface LeafProbe {
  /** Returns whether a circuit that is not closed is left to probes. Starts them if none are running. */
  watch(circuit: MetCircuit, target: PreparedTarget, exchange: Exchange): boolean;
}

/** The longest wait for a probe's answer, in milliseconds. */
const maxAskMs = 10_000;

/** By how much the interval between probes varies, so that gateways do not send theirs at the same time. */
const jitter = 0.1;

/** Whether no part of a target was chosen by a caller, so that the gateway uses only the operator's credential and host. */
const isOperators = (target: PreparedTarget, exchange: Exchange): boolean =>
  target.isOperators && forwardedOwner(target, exchange) === target.circuitOwner;

interface Asking extends Pick<MetCircuit, 'tenant'>, Pick<Probe, 'path'> {
  readonly cancellation: Cancellation;
  readonly timeoutMs: number;
}

/**
 * Links the probes of a leaf. A probe is sent like a request on another path, with the same credential, signature and rules for
 * egress.
 */
export const linkProbe = (
  leaf: LeafNode,
  target: Target,
  { path, everyMs }: Probe,
  context: LinkContext,
): LeafProbe => {
  const { hooks, plan, ports } = context;
  const timeoutMs = Math.min(everyMs, maxAskMs, target.timeoutMs ?? maxAskMs);
  const bare: LeafNode = { ...leaf, stages: [] };

  const toExchange = ({ tenant, cancellation }: Pick<Asking, 'tenant' | 'cancellation'>): Exchange => ({
    traceId: randomUUID(),
    principal: { tenant },
    route: { operation: 'opaque' },
    request: { method: 'GET', path, headers: [], body: { kind: 'none' } },
    overrides: { timeoutMs },
    plan: { routing: plan, label: plan.name },
    facts: { metadata: {}, params: {}, url: { pathname: `/v1${path}` } },
    json: () => ({}),
    secrets: [],
    seed: 0,
    trail: [],
    cancellation,
    isCounted: false,
    isDispatched: true,
  });

  let linked: LeafStep | undefined;
  /** Plugins may change what is sent. Those that observe requests and attempts do not see probes. */
  const attempt = (): LeafStep => {
    const { providerRequest, providerResponse } = hooks;
    const unobserved = createHooks();
    linked ??= linkAttempt({
      leaf: bare,
      target,
      context: {
        ...context,
        hooks: { ...unobserved, providerRequest, providerResponse },
        notices: createNotices(unobserved),
      },
      checks: undefined,
      failed: (error) => {
        throw error;
      },
    });
    return linked;
  };

  const toJob = (circuit: MetCircuit, prepared: PreparedTarget, seed: number): ProbeJob => ({
    lifetime: context.lifetime,
    waitMs: (nth) =>
      ports.chance.between({ seed, path: leaf.path, visit: -nth }, everyMs * (1 - jitter), everyMs * (1 + jitter)),
    async ask(cancellation) {
      const exchange = toExchange({ tenant: circuit.tenant, cancellation });
      const response = await attempt()(new LeafCall(new Run(exchange, undefined), bare, { target: prepared }));
      discard(response);
      return response.origin === 'upstream' && isSuccess(response.status);
    },
    report(isUp, changed) {
      const exchange = toExchange({ tenant: circuit.tenant, cancellation: neverCancelled });
      observeEvent(hooks, hooks.probed, { path: leaf.path, target: target.id, isUp }, exchange);
      if (changed === undefined) return;
      const named = circuit.of === undefined ? {} : { of: circuit.of };
      context.notices.circuitChanged({ kind: 'circuitChanged', path: leaf.path, ...named, ...changed }, exchange);
    },
  });

  return {
    watch: (circuit, prepared, exchange) =>
      isProbedCircuit(circuit.of) &&
      isOperators(prepared, exchange) &&
      context.probes().watch(circuit, toJob(circuit, prepared, exchange.seed)),
  };
};
