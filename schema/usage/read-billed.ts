import type { BilledTokens } from '../conversation/conversation.ts';

interface ReportedTokens {
  readonly input: number | undefined;
  readonly output: number | undefined;
}

/** Reads the tokens that are charged; undefined if the provider does not report them separately from the processed ones. */
export const readBilled = (processed: ReportedTokens, charged: ReportedTokens): BilledTokens | undefined => {
  const input = processed.input === undefined || charged.input === processed.input ? undefined : charged.input;
  const output = processed.output === undefined || charged.output === processed.output ? undefined : charged.output;
  if (input === undefined && output === undefined) return undefined;
  return { ...(input === undefined ? {} : { input }), ...(output === undefined ? {} : { output }) };
};
