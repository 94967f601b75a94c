import type { ReadyFacts } from '../../status-pages/ready-facts.ts';
import { type MergeOptions, mergeReadiness, type WorkerReadiness } from './merge-readiness.ts';
import type { WorkerProcess } from './worker-process.ts';
import type { Workers } from './workers.ts';

/** A worker that is silent for longer counts as absent. */
const askMs = 500;

export interface ReadReadinessOptions {
  readonly workers: () => Workers;
  readonly facts: () => Omit<MergeOptions, 'workers'>;
}

const askReadiness = (worker: WorkerProcess): Promise<WorkerReadiness | undefined> =>
  worker.channel.ask('readiness', undefined, askMs).then(
    (facts) => ({ facts, behind: worker.behind }),
    () => undefined,
  );

/** Calls each worker at most once at a time, however many callers want to know. */
const createAsking = (): ((worker: WorkerProcess) => Promise<WorkerReadiness | undefined>) => {
  const asking = new Map<WorkerProcess, Promise<WorkerReadiness | undefined>>();
  return (worker) => {
    const running = asking.get(worker) ?? askReadiness(worker).finally(() => asking.delete(worker));
    asking.set(worker, running);
    return running;
  };
};

/** Creates the page of all workers. `asked` is the worker that was called and reports this of itself. */
export const readReadiness = ({
  workers,
  facts,
}: ReadReadinessOptions): ((asked: WorkerProcess, own: ReadyFacts) => Promise<ReadyFacts>) => {
  const askOnce = createAsking();
  return async (asked, own) => {
    const all = workers();
    const { reason, ...known } = facts();
    const others = all.serving.filter((worker) => worker !== asked);
    const answers = await Promise.all(others.map(askOnce));
    const silent = others.find((_, index) => answers[index] === undefined);
    const heard = answers.filter((answer) => answer !== undefined);
    // The state of a worker that is being replaced is not the state of its gateway.
    const isLeaving = asked.state === 'retiring' && !known.isDraining && heard.length > 0;
    const [first = { facts: own, behind: asked.behind }, ...rest] = [
      ...(isLeaving ? [] : [{ facts: own, behind: asked.behind }]),
      ...heard,
    ];
    const silence = silent === undefined ? undefined : `Worker ${silent.id} (process ${silent.pid}) does not answer.`;
    return mergeReadiness([first, ...rest], { ...known, workers: all.status(), reason: reason ?? silence });
  };
};
