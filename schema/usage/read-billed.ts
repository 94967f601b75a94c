import type { BilledTokens } from '../conversation/conversation.ts';

interface ReportedTokens {
  readonly input: number | undefined;
  readonly output: number | undefined;
}

/** The tokens that are charged; undefined where a provider reports no others that it has processed. */
export const readBilled = (processed: ReportedTokens, charged: ReportedTokens): BilledTokens | undefined => {
  const input = processed.input === undefined || charged.input === processed.input ? undefined : charged.input;
  const output = processed.output === undefined || charged.output === processed.output ? undefined : charged.output;
  if (input === undefined && output === undefined) return undefined;
  return { ...(input === undefined ? {} : { input }), ...(output === undefined ? {} : { output }) };
};
