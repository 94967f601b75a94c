import { describeCircuit } from '../../../schema/trail/circuit-name.ts';
import type { TrailEventOf } from '../../../schema/trail/trail.ts';
import type { Exchange } from '../../sdk/exchange/exchange.ts';
import { servedNames } from '../../sdk/exchange/served-names.ts';
import { plainName, shownName } from './shown-name.ts';
import { ofWorkspace, toOwner } from './subject.ts';
import type { TargetChange } from './target-alerts.ts';

const toState = ({ from, to }: TrailEventOf<'circuitChanged'>): TargetChange['state'] => {
  if (to === 'open') return from === 'closed' ? 'opened' : 'still-open';
  return to === 'closed' ? 'closed' : 'tried';
};

/** Describes changes of circuits. Those of callers' configs concern only the callers, and are not reported. */
export class CircuitChanges {
  readonly #source: string;
  readonly #toNames = servedNames();

  constructor(source: string) {
    this.#source = source;
  }

  describe(
    event: TrailEventOf<'circuitChanged'>,
    exchange: Pick<Exchange, 'plan' | 'principal'>,
  ): TargetChange | undefined {
    const { plan } = exchange;
    if (plan === undefined || plan.isCallers === true) return undefined;
    const { path, of } = event;
    const names = this.#toNames(plan);
    const { target, provider } = names.leaf(path);
    const whose = toOwner(exchange);
    // Targets of a provider share the circuit of a credential.
    const subject =
      of?.kind === 'credential'
        ? `credential ${provider}`
        : `${names.plan} ${target} ${of?.kind ?? ''} ${of?.model ?? ''}`;
    const circuit = `The circuit${describeCircuit(of)} of target ${shownName(target)} in config ${shownName(names.plan)}${ofWorkspace(whose)}`;
    return {
      state: toState(event),
      ending: { subject: circuit, closed: 'is closed again: it works' },
      hash: plan.routing.hash,
      occurrence: {
        kind: 'circuit.open',
        key: `circuit.open ${this.#source} ${whose.tenant} ${subject.trimEnd()}`,
        state: 'open',
        severity: 'error',
        title: `${circuit} is open: it lets no requests through for a while.`,
        action: `Check the answers of its provider in the log of requests, or its status page. Requests are served by other targets if the config has any.`,
        ...whose,
        details: {
          ...{ config: plainName(names.plan), target: plainName(target), provider: plainName(provider) },
          ...(of === undefined ? {} : { circuit: of.kind }),
          ...(of?.model === undefined ? {} : { model: plainName(of.model) }),
        },
      },
    };
  }
}
