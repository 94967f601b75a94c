import type { GatewayResponse } from '../../../plugins/sdk/http/http.ts';
import type { Deadline, Deadlines } from '../../async/deadlines.ts';

/** A moment that comes unless it is removed before. */
class Moment implements Deadline {
  expiresAt = 0;
  next: Deadline | undefined;
  previous: Deadline | undefined;
  readonly expire: () => void;

  constructor(expire: () => void) {
    this.expire = expire;
  }
}

/** Whether so many milliseconds pass before there is an answer. */
export const isLate = (answer: Promise<GatewayResponse>, afterMs: number, deadlines: Deadlines): Promise<boolean> =>
  new Promise((settle) => {
    const moment = new Moment(() => settle(true));
    deadlines.add(moment, afterMs);
    const answered = (): void => {
      deadlines.remove(moment, afterMs);
      settle(false);
    };
    answer.then(answered, answered);
  });
