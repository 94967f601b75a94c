import type { Refusal } from '../../scenario.ts';

/** The header of an error answer that contains the retry delay, if the vendor has it. */
export const waitHeaders = ({ waitS }: Refusal, sendsRetryAfter: boolean): Readonly<Record<string, string>> =>
  waitS === undefined || !sendsRetryAfter ? {} : { 'retry-after': String(waitS) };
