import type { TrailEvent } from '../../../../schema/trail/trail.ts';

/** Checks whether the event of an attempt has only common members, which are stored without their names. */
export const isUsualAttempt = ({
  requests,
  cause,
  key,
}: Pick<Extract<TrailEvent, { kind: 'attempted' }>, 'requests' | 'cause' | 'key'>): boolean =>
  requests === undefined && cause === undefined && key === undefined;
