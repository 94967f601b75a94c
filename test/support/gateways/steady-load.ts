import { setTimeout } from 'node:timers/promises';

/** How one request of a load ended. Times are milliseconds since the epoch. */
export interface LoadAnswer {
  readonly startedAt: number;
  readonly endedAt: number;
  /** The status and, unless it is 200, the answer, or the error that was thrown instead of an answer. */
  readonly outcome: string;
}

/** Requests that continue until they are stopped, with as many at a time as there are lanes. */
export interface Load {
  readonly answers: readonly LoadAnswer[];
  /** Returns the answers other than 200. */
  failures(): readonly LoadAnswer[];
  /** Stops the load. Resolves when the last request has been answered. */
  end(): Promise<void>;
}

const readOutcome = async (ask: () => Promise<Response>): Promise<string> => {
  try {
    const answer = await ask();
    const text = await answer.text();
    return answer.status === 200 ? '200' : `${answer.status} ${text}`;
  } catch (error) {
    return error instanceof Error ? `${error.message} ${error.cause ?? ''}` : String(error);
  }
};

/** Sends requests repeatedly, with a pause of some milliseconds between those of a lane. */
export const steadyLoad = (
  ask: () => Promise<Response>,
  { lanes = 3, pauseMs = 50 }: { readonly lanes?: number; readonly pauseMs?: number } = {},
): Load => {
  const answers: LoadAnswer[] = [];
  let isOn = true;
  const lane = async (): Promise<void> => {
    while (isOn) {
      const startedAt = Date.now();
      const outcome = await readOutcome(ask);
      answers.push({ startedAt, endedAt: Date.now(), outcome });
      await setTimeout(pauseMs);
    }
  };
  const running = Array.from({ length: lanes }, lane);
  return {
    answers,
    failures: () => answers.filter(({ outcome }) => outcome !== '200'),
    async end() {
      isOn = false;
      await Promise.all(running);
    },
  };
};
