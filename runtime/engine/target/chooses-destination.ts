import type { CallerOverrides } from '../../../plugins/sdk/exchange/exchange.ts';

/** Whether a request chooses where its credential is sent, or which headers are sent with it. */
export const choosesDestination = ({ customHost, forwardHeaders }: CallerOverrides): boolean =>
  customHost !== undefined || (forwardHeaders !== undefined && forwardHeaders.length > 0);
