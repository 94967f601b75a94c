import type { ChooserDefinition, ChooserRequest, ChooserTarget } from '../../../plugins/sdk/chooser/chooser.ts';
import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import type { LoadbalanceNode } from '../../../schema/plan/plan.ts';
import { errorText } from '../../../schema/text/error-text.ts';
import type { BalanceState, Balances } from '../../memory/balances.ts';
import { estimatedTokens } from '../../usage/request-bytes.ts';
import type { LinkContext } from '../call/context.ts';
import { readableBody } from '../call/readable-body.ts';
import type { Run } from '../call/run.ts';
import { type BranchFacts, branchFacts } from './branch-facts.ts';
import { type PriceOf, priceOf, targetModel } from './branch-price.ts';
import { heardOutcome } from './heard-outcome.ts';
import { StickyBranches } from './sticky-branches.ts';

/** Chooses the branches of a load balance that does not draw them by weight alone. */
export interface BranchChoice {
  /** Settles when `choose` can be called; undefined if it can now. */
  ready(): Promise<void> | undefined;
  /** The branch, of those that may be called, at least one, that a request is to have. */
  choose(run: Run, usable: readonly number[]): number;
  /** Follows the answer of the branch that was chosen. */
  follow(run: Run, branch: number, answer: Promise<GatewayResponse>): Promise<GatewayResponse>;
}

/** Draws of a node, beside that by weight, which is the first. */
const firstVisit = 2;

const inFlightOf = ({ inFlight }: BalanceState, index: number): number => inFlight[index] ?? 0;

/** A chooser that a load balance has, with the facts of each branch that it is given. */
class ChooserChoice implements Pick<BranchChoice, 'choose' | 'follow'> {
  readonly #definition: ChooserDefinition;
  readonly #context: LinkContext;
  readonly #balances: Balances;
  readonly #node: LoadbalanceNode;
  readonly #branches: readonly BranchFacts[];
  readonly #prices: readonly PriceOf[];
  readonly #name: string;

  constructor(
    definition: ChooserDefinition,
    context: LinkContext,
    {
      node,
      branches,
      name,
    }: { readonly node: LoadbalanceNode; readonly branches: readonly BranchFacts[]; readonly name: string },
  ) {
    this.#definition = definition;
    this.#context = context;
    this.#balances = context.balances();
    this.#node = node;
    this.#branches = branches;
    this.#name = name;
    this.#prices =
      definition.readsPrices === true
        ? branches.map(({ target }) => (target === undefined ? () => undefined : priceOf(target, context)))
        : [];
  }

  choose(run: Run, usable: readonly number[]): number {
    const [only] = usable;
    if (only !== undefined && usable.length === 1) return only;
    const { chance } = this.#context.ports;
    const { path } = this.#node;
    const { seed } = run.exchange;
    let visit = firstVisit;
    const next = () => ({ seed, path, visit: visit++ });
    const { request, targets } = this.#offered(run, usable);
    try {
      const place = this.#state(run).chooser.choose(targets, request, {
        pick: (weights) => chance.pick(next(), weights),
        between: (from, to) => chance.between(next(), from, to),
      });
      const chosen = targets[place];
      if (chosen !== undefined) return chosen.index;
      throw new RangeError(`It chose the place ${place} of ${targets.length} targets.`);
    } catch (error) {
      this.#balances.failed(this.#definition.id, errorText(error));
      const drawn = chance.pick(
        { seed, path, visit: 1 },
        targets.map(({ weight }) => weight),
      );
      return targets[drawn]?.index ?? 0;
    }
  }

  async follow(run: Run, branch: number, answer: Promise<GatewayResponse>): Promise<GatewayResponse> {
    const state = this.#state(run);
    const { clock } = this.#context.ports;
    const begun = clock.monotonic();
    state.inFlight[branch] = inFlightOf(state, branch) + 1;
    const ended = (): void => {
      state.inFlight[branch] = inFlightOf(state, branch) - 1;
    };
    let response: GatewayResponse;
    try {
      response = await answer;
    } catch (error) {
      ended();
      throw error;
    }
    if (response.body.kind === 'stream') response.body.onEnd(ended);
    else ended();
    this.#report(state, branch, heardOutcome(response, clock.monotonic() - begun));
    return response;
  }

  #report({ chooser }: BalanceState, branch: number, outcome: ReturnType<typeof heardOutcome>): void {
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
  ): { readonly request: ChooserRequest; readonly targets: readonly ChooserTarget[] } {
    const { body } = run.exchange.request;
    const tokens = estimatedTokens(body.kind === 'bytes' ? body.bytes.length : 0);
    const state = this.#state(run);
    const priced = this.#prices.length === 0 ? undefined : readableBody(run.exchange);
    const targets = this.#branches.flatMap(({ index, weight, target }, at): readonly ChooserTarget[] => {
      if (!usable.includes(index)) return [];
      const model = target && targetModel(target);
      const price = this.#prices[at]?.({ exchange: run.exchange, body: priced, tokens });
      return [
        {
          ...{ index, weight, inFlight: inFlightOf(state, index) },
          provider: target !== undefined && 'provider' in target.from ? target.from.provider : '',
          ...(model === undefined ? {} : { model }),
          ...(price === undefined ? {} : { price }),
        },
      ];
    });
    return { request: { tokens }, targets };
  }

  #state({ exchange: { principal } }: Run): BalanceState {
    const { clock } = this.#context.ports;
    const services = { monotonic: () => clock.monotonic(), wall: () => clock.wall() };
    return this.#balances.state(principal.tenant, this.#name, () => ({
      chooser: this.#definition.create(services),
      inFlight: [],
    }));
  }
}

/** Links how a load balance chooses that has a chooser, or keys that stay. */
export const linkChoice = (node: LoadbalanceNode, context: LinkContext): BranchChoice => {
  const { balance, sticky, path } = node;
  const branches = branchFacts(node, context.plan.targets);
  const name = `${balance ?? ''} ${branches.map((branch) => `${branch.name}*${branch.weight}`).join(' ')}`;
  const definition = balance === undefined ? undefined : context.names.chooser(balance);
  const chooser = definition && new ChooserChoice(definition, context, { node, branches, name });
  const { chance, prices } = context.ports;
  const drawn = (run: Run, usable: readonly number[]): number => {
    const weights = node.branches.map(({ weight }, index) => (usable.includes(index) ? weight : 0));
    return chance.pick({ seed: run.exchange.seed, path, visit: 1 }, weights);
  };
  const byChooser = (run: Run, usable: readonly number[]): number => chooser?.choose(run, usable) ?? drawn(run, usable);
  const keys =
    sticky &&
    new StickyBranches({
      ...{ sticky, name, branches },
      byWeight: chooser === undefined,
      balances: context.balances(),
    });
  const readsPrices = definition?.readsPrices === true;
  return {
    ready: () => (readsPrices ? prices?.ready()?.catch(() => {}) : undefined),
    choose: (run, usable) =>
      keys === undefined ? byChooser(run, usable) : keys.find(run, usable, () => byChooser(run, usable)),
    follow: (run, branch, answer) => chooser?.follow(run, branch, answer) ?? answer,
  };
};
