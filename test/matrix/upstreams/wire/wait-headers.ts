import type { Refusal } from '../../scenario.ts';

/** The header of a refusal that says when to ask again, where the vendor has it. */
export const waitHeaders = ({ waitS }: Refusal, tellsWait: boolean): Readonly<Record<string, string>> =>
  waitS === undefined || !tellsWait ? {} : { 'retry-after': String(waitS) };
