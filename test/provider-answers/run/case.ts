import type { Random } from '../../fuzz/support/random.ts';
import type { Answered, Asking, Client } from './client.ts';
import type { FaultyVendor } from './faulty-vendor.ts';

/** One case: some requests while answers of the vendor are wrong, and then some while they are right. */
export interface Case {
  readonly random: Random;
  readonly vendor: FaultyVendor;
  /** Sends a request and records the errors in the answer. */
  ask(asking: Asking): Promise<Answered>;
  /** Records an error unless a condition holds. */
  note(isRight: boolean, wrong: string): void;
}

/** Runs a case. Returns its requests, answers and errors as readable text, or an empty text if there were no errors. */
export const runCase = async (
  { random, vendor, client }: { readonly random: Random; readonly vendor: FaultyVendor; readonly client: Client },
  script: (given: Case) => Promise<void>,
): Promise<readonly string[]> => {
  const steps: string[] = [];
  const wrongs: string[] = [];
  vendor.reset();
  const note = (isRight: boolean, wrong: string): void => {
    if (!isRight) wrongs.push(wrong);
  };
  const ask = async (asking: Asking): Promise<Answered> => {
    const answered = await client(asking);
    steps.push(`${asking.operation} ${asking.path} → ${answered.status} ${answered.text.slice(0, 600)}`);
    for (const fault of answered.faults) wrongs.push(`${asking.operation}: ${fault}`);
    return answered;
  };
  await script({ random, vendor, ask, note });
  vendor.end();
  note(!vendor.isFlooded, 'the vendor was asked again and again');
  return wrongs.length === 0 ? [] : [[...wrongs, ...vendor.given, ...steps].join('\n  ')];
};
