import { setTimeout } from 'node:timers/promises';

/** How one request of a load ended; times are milliseconds since the epoch. */
export interface LoadAnswer {
  readonly startedAt: number;
  readonly endedAt: number;
  /** The status and, unless that is 200, what was answered; what was thrown instead of an answer. */
  readonly outcome: string;
}

/** Requests that go on until they are ended, as many at a time as there are lanes. */
export interface Load {
  readonly answers: readonly LoadAnswer[];
  /** How those ended that were not answered with 200. */
  failures(): readonly LoadAnswer[];
  /** Resolves when the last request is answered. */
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

/** Asks again and again, with a pause of some milliseconds between a lane's requests. */
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
