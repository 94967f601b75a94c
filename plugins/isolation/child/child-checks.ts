import { LRUCache } from 'lru-cache';
import { errorText } from '../../../schema/error-text.ts';
import type { JsonObject } from '../../../schema/json.ts';
import { createCancellation } from '../../sdk/cancellation.ts';
import type { Check, Guardrail, Verdict } from '../../sdk/guardrail.ts';
import type { ChildMessage, RunMessage, ToldParameters } from '../protocol.ts';
import { callContext } from './call-context.ts';
import { childServices } from './child-services.ts';
import type { HttpRequests } from './http-requests.ts';

/** The most checks that are kept: one for each set of parameters. */
const mostChecks = 1000;

/** A verdict that can be written as JSON: its data never invalidates it. */
const plainVerdict = (verdict: Verdict): unknown => {
  try {
    return JSON.parse(JSON.stringify(verdict) ?? 'null');
  } catch {
    return { pass: verdict.pass, data: null };
  }
};

/** Runs the checks of the plugin. */
export class ChildChecks {
  readonly #guardrails: ReadonlyMap<string, Guardrail>;
  readonly #requests: HttpRequests;
  readonly #send: (message: ChildMessage) => void;
  readonly #created = new LRUCache<string, Check>({ max: mostChecks });
  readonly #running = new Map<number, () => void>();

  constructor(
    guardrails: readonly Guardrail[],
    { requests, send }: { readonly requests: HttpRequests; readonly send: (message: ChildMessage) => void },
  ) {
    this.#guardrails = new Map(guardrails.map((guardrail) => [guardrail.id, guardrail]));
    this.#requests = requests;
    this.#send = send;
  }

  /** What the check says of parameters; a throw is a fault. */
  tell(check: string, parameters: JsonObject): ToldParameters {
    const guardrail = this.#guardrailOf(check);
    try {
      const parts = guardrail.parts?.(parameters);
      return { faults: guardrail.faults?.(parameters) ?? [], ...(parts === undefined ? {} : { parts }) };
    } catch (error) {
      return { faults: [errorText(error)] };
    }
  }

  async run({ id, check, parameters, input, withinMs, placeholderKey }: RunMessage): Promise<void> {
    const { cancellation, cancel } = createCancellation();
    this.#running.set(id, cancel);
    this.#send({ kind: 'started', id });
    const context = { http: this.#requests.of(id), placeholderKey };
    try {
      const verdict = await callContext.run(context, async () =>
        this.#checkOf(check, parameters)({ ...input, cancellation }, withinMs),
      );
      this.#send({ kind: 'verdict', id, verdict: plainVerdict(verdict) });
    } catch (error) {
      this.#send({ kind: 'failed', id, message: errorText(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  cancel(id: number): void {
    const cancel = this.#running.get(id);
    if (cancel === undefined) return;
    this.#send({ kind: 'cancelled', id });
    cancel();
  }

  #guardrailOf(check: string): Guardrail {
    const guardrail = this.#guardrails.get(check);
    if (guardrail === undefined) throw new RangeError(`The plugin has no check "${check}" any more.`);
    return guardrail;
  }

  #checkOf(check: string, parameters: JsonObject): Check {
    const key = `${check} ${JSON.stringify(parameters)}`;
    const known = this.#created.get(key);
    if (known !== undefined) return known;
    const created = this.#guardrailOf(check).create(parameters, childServices);
    this.#created.set(key, created);
    return created;
  }
}
