import { toError } from '../../../schema/text/error-text.ts';
import type { CheckAnswer } from '../../sdk/guardrail/guardrail.ts';
import { createCancellation } from '../../sdk/time/cancellation.ts';
import type { IsolatedPlugin } from './isolated-plugin.ts';
import type { OwnedOutcome, OwnedQuestion, OwnedRequest, OwnedRun } from './messages.ts';

/** Asks the worker that the call belongs to. */
type AskWorker = (request: OwnedRequest) => Promise<unknown>;

const toKey = (worker: number, call: number): string => `${worker} ${call}`;

/** The isolated plugins of a gateway. Their processes run the checks of all its workers. */
export class IsolationOwner {
  readonly #plugins: ReadonlyMap<string, IsolatedPlugin>;
  /** Functions that cancel calls, by worker and call. */
  readonly #running = new Map<string, { readonly worker: number; readonly cancel: () => void }>();

  constructor(plugins: readonly IsolatedPlugin[]) {
    this.#plugins = new Map(plugins.map((plugin) => [plugin.pointer, plugin]));
  }

  /** Answers a worker's question. */
  async answer(worker: number, asked: unknown, askWorker: (request: unknown) => Promise<unknown>): Promise<unknown> {
    const question = asked as OwnedQuestion;
    if (question.of === 'cancel') {
      this.#running.get(toKey(worker, question.call))?.cancel();
      return undefined;
    }
    const plugin = this.#plugins.get(question.plugin);
    if (plugin === undefined) throw new TypeError(`The owner has no isolated plugin at ${question.plugin}.`);
    if (question.of === 'version') return plugin.versionNow();
    if (question.of === 'parameters') return plugin.ask(question.question);
    return this.#run(plugin, worker, question, askWorker);
  }

  /** Called when a worker has ended. Nothing waits for its calls any more. */
  leave(worker: number): void {
    for (const running of this.#running.values()) if (running.worker === worker) running.cancel();
  }

  close(): void {
    for (const plugin of this.#plugins.values()) plugin.close();
  }

  async #run(plugin: IsolatedPlugin, worker: number, run: OwnedRun, askWorker: AskWorker): Promise<OwnedOutcome> {
    const { call, version, check, tenant, withinMs, members } = run;
    const { cancellation, cancel } = createCancellation();
    const key = toKey(worker, call);
    this.#running.set(key, { worker, cancel });
    let isOfTarget = false;
    try {
      const verdict = await plugin.run(version, {
        ...{ check, tenant, withinMs, members, cancellation },
        http: {
          send: async ({ tenant: _, cancellation: __, ...request }) =>
            (await askWorker({ call, request })) as CheckAnswer,
        },
        recordTargetRead: () => {
          isOfTarget = true;
        },
      });
      return { verdict: JSON.stringify(verdict ?? null), isOfTarget };
    } catch (error) {
      const { name, message } = toError(error);
      return { failed: { name, message } };
    } finally {
      this.#running.delete(key);
    }
  }
}
