import { type LimitFacts, policyKey } from './limit-facts.ts';

/** Callers choose labels and models: a longer text is not kept. */
const longestText = 200;

const isKept = (value: unknown): boolean => typeof value !== 'string' || value.length <= longestText;

/** How much may be remembered by all that share it. When it is more, all of it is forgotten. */
export class MemoryBudget {
  readonly #most: number;
  #used = 0;
  /** The number of the turn; values of an earlier one are forgotten. */
  turn = 0;

  constructor(most = 10_000) {
    this.#most = most;
  }

  /** Counts one more entry; beyond `most` it begins another turn, in which nothing of the last one is remembered. */
  take(): void {
    this.#used += 1;
    if (this.#used <= this.#most) return;
    this.#used = 1;
    this.turn += 1;
  }
}

/** The values of requests with the same first values. */
class Known<Value> {
  #next: Map<unknown, Known<Value>> | undefined;
  value: Value | undefined;

  find(value: unknown): Known<Value> | undefined {
    return this.#next?.get(value);
  }

  add(value: unknown): Known<Value> {
    const added = new Known<Value>();
    this.#next ??= new Map();
    this.#next.set(value, added);
    return added;
  }
}

export interface RememberedOptions<Value> {
  /** The keys of policies, of the values of which alone it is made. */
  readonly keys: readonly string[];
  readonly make: (facts: LimitFacts) => Value;
  readonly budget: MemoryBudget;
}

/**
 * Remembers what follows from the facts of a request by the values that decide it, so that it is made once for a key, a model
 * and a target. What was seen costs a look-up for each of the values.
 */
export const rememberedByFacts = <Value>(options: RememberedOptions<Value>): ((facts: LimitFacts) => Value) => {
  const { keys, make, budget } = options;
  const facts = [...new Set([...new Set(keys)].flatMap((key) => policyKey(key).facts))];
  let all = new Known<Value>();
  let turn = budget.turn;

  const add = (given: LimitFacts): Value => {
    const made = make(given);
    const values = facts.map((fact) => fact(given));
    if (!values.every(isKept)) return made;
    budget.take();
    if (budget.turn !== turn) all = new Known();
    turn = budget.turn;
    let known = all;
    for (const value of values) known = known.find(value) ?? known.add(value);
    known.value = made;
    return made;
  };

  return (given) => {
    let known: Known<Value> | undefined = budget.turn === turn ? all : undefined;
    for (const fact of facts) known = known?.find(fact(given));
    return known?.value ?? add(given);
  };
};
