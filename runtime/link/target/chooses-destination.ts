import type { CallerWishes } from '../../../plugins/sdk/exchange.ts';

/** Whether a request says where its credential goes, or what goes beside it. */
export const choosesDestination = ({ customHost, forwardHeaders }: CallerWishes): boolean =>
  customHost !== undefined || (forwardHeaders !== undefined && forwardHeaders.length > 0);
