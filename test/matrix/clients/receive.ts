import type { Counts, Received } from '../scenario.ts';
import type { ResponseTap } from './response-tap.ts';

/** The content of a library's result. */
export type ReceivedContent = Omit<Received, 'error' | 'dropped' | 'waits'>;

export interface ReceiveOptions {
  run(): Promise<ReceivedContent>;
  /** Returns the status and message of an error of the library, or undefined for any other error. */
  readError(thrown: unknown): Received['error'] | undefined;
  readonly tap: Pick<ResponseTap, 'dropped' | 'waits'>;
}

/** Returns what a client received, whether an answer or an error of the library. */
export const receive = async ({ run, readError, tap }: ReceiveOptions): Promise<Received> => {
  try {
    const content = await run();
    return { ...content, dropped: tap.dropped(), waits: tap.waits() };
  } catch (thrown) {
    const error = readError(thrown);
    if (error === undefined) throw thrown;
    return {
      text: '',
      reasoning: '',
      calls: [],
      refusal: '',
      finish: '',
      error,
      dropped: tap.dropped(),
      waits: tap.waits(),
    };
  }
};

/** Returns the counts without those that are zero or not reported. */
export const counted = ({ cached = 0, reasoning = 0, ...counts }: Partial<Counts>): Counts => ({
  input: 0,
  output: 0,
  ...counts,
  ...(cached > 0 && { cached }),
  ...(reasoning > 0 && { reasoning }),
});
