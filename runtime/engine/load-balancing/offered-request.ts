import type { ChooserRequest } from '../../../plugins/sdk/chooser/chooser.ts';
import type { Capability } from '../../../schema/model-facts/capability.ts';
import type { Run } from '../call/run.ts';
import { requestNeeds } from '../capabilities/create-abilities.ts';
import { requestPrefix } from './prompt-prefix.ts';

/** A request as choosers see it. Values that most of them do not use are read only on access. */
export class OfferedRequest implements ChooserRequest {
  readonly tokens: number;
  readonly #run: Run;

  constructor(run: Run, tokens: number) {
    this.#run = run;
    this.tokens = tokens;
  }

  get needs(): readonly Capability[] {
    return requestNeeds(this.#run)?.capabilities ?? [];
  }

  get prefix(): string | undefined {
    return requestPrefix(this.#run.exchange);
  }
}
