import type { ChooserDefinition, ChooserRequest, ChooserTarget } from '../../../plugins/sdk/chooser/chooser.ts';
import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import type { Writable } from '../../../schema/json/writable.ts';
import type { LoadbalanceNode } from '../../../schema/plan/plan.ts';
import { targetModel } from '../../../schema/plan/target-model.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import type { BalanceState, Balances } from '../../in-memory/balances.ts';
import { estimatedTokens } from '../../usage/request-bytes.ts';
import type { LinkContext } from '../call/context.ts';
import type { Run } from '../call/run.ts';
import { type BranchFacts, branchFacts } from './branch-facts.ts';
import { type PriceOf, priceOf, readPriced } from './branch-price.ts';
import { chooserOutcome } from './chooser-outcome.ts';
import { OfferedRequest } from './offered-request.ts';
import { hashText } from './rendezvous.ts';
import { StickyBranches } from './sticky-branches.ts';

/** Chooses among the branches of a load balance that does not draw by weight alone. */
export interface BranchChoice {
  /** Settles once `choose` can be called. Undefined if it can be called now. */
  ready(): Promise<void> | undefined;
  /** Returns the branch for a request, chosen from the usable ones, of which there is at least one. */
  choose(run: Run, usable: readonly number[]): number;
  /** Follows the answer of the chosen branch. */
  follow(run: Run, branch: number, answer: Promise<GatewayResponse>): Promise<GatewayResponse>;
}

/** Draws one of the usable branches by weight. This is the first draw of a node. */
export type DrawByWeight = (run: Run, usable: readonly number[]) => number;

/** Draws of choosers come after that. */
const firstVisit = 2;

const inFlightOf = ({ inFlight }: BalanceState, index: number): number => inFlight[index] ?? 0;

interface ChooserOptions {
  readonly node: LoadbalanceNode;
  readonly branches: readonly BranchFacts[];
  /** The name of the load balance. */
  readonly name: string;
  readonly draw: DrawByWeight;
}

/** The data that a chooser receives for a branch with every request, except for what changes between requests. */
interface KnownTarget extends Pick<ChooserTarget, 'index' | 'weight' | 'provider'> {
  /** Undefined if the request names it. */
  readonly model: string | undefined;
  /** Absent if prices are not read. */
  readonly priceOf: PriceOf | undefined;
}

const knownTarget = ({ index, weight, target }: BranchFacts, context: LinkContext | undefined): KnownTarget => {
  const provider = target !== undefined && 'provider' in target.from ? target.from.provider : '';
  const priced = target && context && priceOf(target, context);
  return { index, weight, provider, model: target && targetModel(target), priceOf: priced };
};

/** The chooser of a load balance, with the facts of each branch that it receives. */
class ChooserChoice implements Pick<BranchChoice, 'choose' | 'follow'> {
  readonly #definition: ChooserDefinition;
  readonly #context: LinkContext;
  readonly #options: ChooserOptions;
  readonly #balances: Balances;
  readonly #known: readonly KnownTarget[];
  readonly #readsPrices: boolean;
  readonly #make: () => BalanceState;

  constructor(definition: ChooserDefinition, context: LinkContext, options: ChooserOptions) {
    this.#definition = definition;
    this.#context = context;
    this.#options = options;
    this.#balances = context.balances();
    this.#readsPrices = definition.readsPrices === true;
    this.#known = options.branches.map((branch) => knownTarget(branch, this.#readsPrices ? context : undefined));
    const { clock } = context.ports;
    const services = { monotonic: () => clock.monotonic(), wall: () => clock.wall() };
    this.#make = () => ({ chooser: definition.create(services), inFlight: [] });
  }

  choose(run: Run, usable: readonly number[]): number {
    const [only] = usable;
    if (only !== undefined && usable.length === 1) return only;
    const { chance } = this.#context.ports;
    const { node, draw } = this.#options;
    let visit = firstVisit;
    const next = () => ({ seed: run.exchange.seed, path: node.path, visit: visit++ });
    const state = this.#findState(run);
    if (state === undefined) return draw(run, usable);
    try {
      const { request, targets } = this.#offered(run, usable, state);
      const place = state.chooser.choose(targets, request, {
        pick: (weights) => chance.pick(next(), weights),
        between: (from, to) => chance.between(next(), from, to),
      });
      const chosen = targets[place];
      if (chosen === undefined)
        throw new RangeError(`It chose the index ${place}, but there are ${targets.length} targets.`);
      // The chooser may have modified its input.
      if (usable.includes(chosen.index)) return chosen.index;
      throw new RangeError(`It chose the target ${chosen.index}, which was not offered.`);
    } catch (error) {
      this.#balances.failed(this.#definition.id, errorText(error));
      return draw(run, usable);
    }
  }

  follow(run: Run, branch: number, answer: Promise<GatewayResponse>): Promise<GatewayResponse> {
    const state = this.#findState(run);
    if (state === undefined) return answer;
    const { clock } = this.#context.ports;
    const begun = clock.monotonic();
    state.inFlight[branch] = inFlightOf(state, branch) + 1;
    const ended = (): void => {
      state.inFlight[branch] = inFlightOf(state, branch) - 1;
    };
    // Notified before whoever waits for the answer receives it, without adding a promise to wait for.
    void answer.then((response) => {
      if (response.body.kind === 'stream') response.body.onEnd(ended);
      else ended();
      this.#report(state, branch, chooserOutcome(response, clock.monotonic() - begun));
    }, ended);
    return answer;
  }

  #report({ chooser }: BalanceState, branch: number, outcome: ReturnType<typeof chooserOutcome>): void {
    if (outcome === undefined) return;
    try {
      chooser.heard(branch, outcome);
    } catch (error) {
      this.#balances.failed(this.#definition.id, errorText(error));
    }
  }

  #offered(
    run: Run,
    usable: readonly number[],
    state: BalanceState,
  ): { readonly request: ChooserRequest; readonly targets: readonly ChooserTarget[] } {
    const { exchange } = run;
    const { body: sent } = exchange.request;
    const tokens = estimatedTokens(sent.kind === 'bytes' ? sent.bytes.length : 0);
    const priced = this.#readsPrices ? readPriced(exchange, tokens) : undefined;
    const targets: ChooserTarget[] = [];
    for (const { index, weight, provider, model, priceOf: toPrice } of this.#known) {
      if (!usable.includes(index)) continue;
      const target: Writable<ChooserTarget> = { index, weight, provider, inFlight: inFlightOf(state, index) };
      const price = priced && toPrice?.(priced);
      if (model !== undefined) target.model = model;
      if (price !== undefined) target.price = price;
      targets.push(target);
    }
    return { request: new OfferedRequest(run, tokens), targets };
  }

  /** Returns the tenant's state. Undefined if no chooser can be created for the tenant. */
  #findState({ exchange: { principal } }: Run): BalanceState | undefined {
    try {
      return this.#balances.state(principal.tenant, this.#options.name, this.#make);
    } catch (error) {
      this.#balances.failed(this.#definition.id, errorText(error));
      return undefined;
    }
  }
}

/** Links the choice of a load balance with a chooser or sticky keys. `draw` is how it chooses otherwise. */
export const linkChoice = (node: LoadbalanceNode, context: LinkContext, draw: DrawByWeight): BranchChoice => {
  const { balance, sticky } = node;
  const branches = branchFacts(node, context.plan.targets);
  // The hash of its parts names what is remembered, of which there may be a hundred thousand entries.
  const name = hashText(
    `${balance ?? ''} ${branches.map((branch) => `${branch.name}*${branch.weight}`).join(' ')}`,
  ).join(' ');
  const definition = balance === undefined ? undefined : context.names.chooser(balance);
  const chooser = definition && new ChooserChoice(definition, context, { node, branches, name, draw });
  const byChooser: DrawByWeight = (run, usable) => chooser?.choose(run, usable) ?? draw(run, usable);
  const keys =
    sticky &&
    new StickyBranches({
      ...{ sticky, name, branches },
      byWeight: chooser === undefined,
      balances: context.balances(),
    });
  const { prices } = context.ports;
  const readsPrices = definition?.readsPrices === true;
  return {
    ready: () => (readsPrices ? prices?.ready()?.catch(() => {}) : undefined),
    choose: (run, usable) =>
      keys === undefined ? byChooser(run, usable) : keys.find(run, usable, () => byChooser(run, usable)),
    follow: (run, branch, answer) => chooser?.follow(run, branch, answer) ?? answer,
  };
};
