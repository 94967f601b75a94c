import type { CallerOverrides } from '../../../plugins/sdk/exchange.ts';

/** Whether a request says where its credential goes, or what goes beside it. */
export const choosesDestination = ({ customHost, forwardHeaders }: CallerOverrides): boolean =>
  customHost !== undefined || (forwardHeaders !== undefined && forwardHeaders.length > 0);
