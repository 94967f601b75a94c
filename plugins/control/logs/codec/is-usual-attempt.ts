import type { TrailEvent } from '../../../../schema/trail/trail.ts';

/** Whether the event of an attempt has only members that most have, which are kept without their names. */
export const isUsualAttempt = ({
  requests,
  cause,
  key,
}: Pick<Extract<TrailEvent, { kind: 'attempted' }>, 'requests' | 'cause' | 'key'>): boolean =>
  requests === undefined && cause === undefined && key === undefined;
