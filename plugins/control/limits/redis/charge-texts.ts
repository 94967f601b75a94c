import type { Charge, CounterState } from '../limits.ts';

type Place = Pick<Charge, 'policy' | 'bucket' | 'reset'> & Partial<Charge>;

/** Charges as the arguments of a script, eight each. */
export const toChargeTexts = (charges: readonly Place[]): string[] =>
  charges.flatMap(({ policy, bucket, unit = '', amount = 0, limit = 0, reset }) => [
    policy,
    bucket,
    unit,
    String(amount),
    String(limit),
    ...toResetTexts(reset),
  ]);

/** The kind of a reset, its days, and the moment from which they are counted. */
export const toResetTexts = (reset: Charge['reset']): readonly [string, string, string] =>
  reset.every === 'days' ? [reset.every, String(reset.days), String(reset.from)] : [reset.every, '', ''];

/** A counter from the four texts that scripts answer: its bucket, what is settled, what is reserved, and its end. */
export const fromStateTexts = (
  { policy, limit }: Pick<Charge, 'policy' | 'limit'>,
  [bucket = '', used, reserved, end]: readonly string[],
): CounterState => ({
  policy,
  bucket,
  used: Number(used),
  reserved: Number(reserved),
  limit,
  ...(end === '' ? {} : { resetsAt: Number(end) }),
});
