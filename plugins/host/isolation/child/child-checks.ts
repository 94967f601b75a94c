import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../../../schema/json/json.ts';
import { toError } from '../../../../schema/text/error-text.ts';
import { createdCheck } from '../../../sdk/guardrail/created-check.ts';
import type { Check, Guardrail } from '../../../sdk/guardrail/guardrail.ts';
import { createCancellation } from '../../../sdk/time/cancellation.ts';
import type { ChildMessage, DescribedParameters, Question, RunMessage } from '../protocol/protocol.ts';
import { callContext } from './call-context.ts';
import { childServices } from './child-services.ts';
import { describeCreation, describeParameters } from './describe-parameters.ts';
import type { HttpRequests } from './http-requests.ts';
import { Turns } from './turns.ts';
import { watchedInput } from './watched-input.ts';
import { writtenVerdict } from './written-verdict.ts';

/** The maximum number of checks that are kept, one for each set of parameters. */
const maxChecks = 1000;
/** The maximum length of an error's texts, which is more than any result shows. */
const longestText = 2000;

const toPlainError = (thrown: unknown): { readonly name: string; readonly message: string } => {
  const { name, message } = toError(thrown);
  return { name: String(name).slice(0, longestText), message: message.slice(0, longestText) };
};

/** Runs the checks of the plugin. */
export class ChildChecks {
  readonly #guardrails: ReadonlyMap<string, Guardrail>;
  readonly #requests: HttpRequests;
  readonly #send: (message: ChildMessage) => void;
  readonly #created = new LRUCache<string, Check>({ max: maxChecks });
  readonly #running = new Map<number, () => void>();
  readonly #turns = new Turns<RunMessage>((message) => void this.#judge(message));

  constructor(
    guardrails: readonly Guardrail[],
    { requests, send }: { readonly requests: HttpRequests; readonly send: (message: ChildMessage) => void },
  ) {
    this.#guardrails = new Map(guardrails.map((guardrail) => [guardrail.id, guardrail]));
    this.#requests = requests;
    this.#send = send;
  }

  /** Describes the check with parameters, or returns why it cannot be created with them. */
  describe({ about, check, parameters }: Question): DescribedParameters {
    if (about === 'creation') return describeCreation(() => this.#findCheck(check, parameters));
    return describeParameters(this.#findGuardrail(check), parameters);
  }

  /** Runs a check when it is its tenant's turn. */
  run(message: RunMessage): void {
    this.#turns.add(message);
  }

  cancel(id: number): void {
    // Nothing waits for it, so it need not start.
    if (this.#turns.withdraw(id)) this.#send({ kind: 'failed', id, ...toPlainError(new Error('It was cancelled.')) });
    const cancel = this.#running.get(id);
    if (cancel === undefined) return;
    this.#send({ kind: 'cancelled', id });
    cancel();
  }

  async #judge({ id, check, parameters, input, withinMs, placeholderKey }: RunMessage): Promise<void> {
    const { cancellation, cancel } = createCancellation();
    this.#running.set(id, cancel);
    const reportProgress = (): void => {
      if (this.#running.has(id)) this.#send({ kind: 'started', id });
    };
    reportProgress();
    const context = { http: this.#requests.of(id, reportProgress), placeholderKey, reportProgress };
    let isOfTarget = false;
    const watched = watchedInput(input, {
      cancellation,
      recordTargetRead: () => {
        isOfTarget = true;
      },
    });
    try {
      const found = await callContext.run(context, async () => this.#findCheck(check, parameters)(watched, withinMs));
      const verdict = writtenVerdict(found, () => JSON.stringify(input).length);
      this.#send({ kind: 'verdict', id, verdict, isOfTarget });
    } catch (error) {
      this.#send({ kind: 'failed', id, ...toPlainError(error) });
    } finally {
      this.#running.delete(id);
    }
  }

  #findGuardrail(check: string): Guardrail {
    const guardrail = this.#guardrails.get(check);
    if (guardrail === undefined) throw new RangeError(`The plugin no longer has a check "${check}".`);
    return guardrail;
  }

  #findCheck(check: string, parameters: JsonObject): Check {
    const key = `${check} ${JSON.stringify(parameters)}`;
    const known = this.#created.get(key);
    if (known !== undefined) return known;
    const created = createdCheck(this.#findGuardrail(check), { parameters, services: childServices });
    this.#created.set(key, created);
    return created;
  }
}
