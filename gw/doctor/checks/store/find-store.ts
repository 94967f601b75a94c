import { readStoreUrl, type StoreUrl } from '../../../../plugins/control/kernel/store/open/open-store.ts';
import { ServeFailure } from '../../../../runtime/cli/settings/serve-failure.ts';
import { type Finding, splitAdvice } from '../../set-up/finding.ts';
import type { SetUp } from '../../set-up/set-up.ts';

/** Returns where the store is; undefined without one. Throws a `ServeFailure` or a `StoreError`. */
export const findStoreUrl = (setUp: SetUp): StoreUrl | undefined => {
  const url = setUp.findStore();
  return url === undefined ? undefined : readStoreUrl(url);
};

/** Does the same, or returns undefined if another check reports what is wrong with it. */
export const storeUrlIfRight = (setUp: SetUp): StoreUrl | undefined => {
  try {
    return findStoreUrl(setUp);
  } catch (error) {
    if (isSentence(error)) return undefined;
    throw error;
  }
};

/** Whether an error's message is a sentence for the operator. */
export const isSentence = (error: unknown): error is Error =>
  error instanceof ServeFailure || (error instanceof Error && ['StoreError', 'SecretError'].includes(error.name));

/** Converts an error of a store to a finding. Throws any other error. */
export const storeFailure = (error: unknown, subject: string): Finding => {
  if (!isSentence(error)) throw error;
  return { severity: 'error', subject, ...splitAdvice(error.message) };
};
