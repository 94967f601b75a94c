import type { SourcedMember } from '../../../../schema/portkey/hooks.ts';
import type { Draft } from '../draft/draft.ts';

/** The status of a provider that cannot be reached. */
const unreachable = 502;

/** The statuses for that in Portkey: https://github.com/Portkey-AI/gateway/blob/main/src/handlers/retryHandler.ts */
const theirUnreachable: readonly number[] = [500, 503];

/**
 * Notes a list of statuses after which Portkey, but not this gateway, retries an unreachable provider or calls the next target.
 */
export const loseConnections = (draft: Draft, members: readonly SourcedMember[]): void => {
  const findMember = (name: string) => members.find((member) => member.name === name)?.value;
  const list = members.find(({ name }) => name === 'on_status_codes');
  const statuses = list?.value;
  if (list === undefined || !Array.isArray(statuses) || statuses.includes(unreachable)) return;
  if (findMember('attempts') !== undefined)
    draft.lose(
      list.source,
      'In Portkey, a failed connection is retried whatever the list says. Here it has the status 502, which is not in the list.',
      'Add 502 to "on_status_codes" of "retry".',
    );
  else if (
    findMember('mode') === 'fallback' &&
    statuses.some((status) => theirUnreachable.some((each) => each === status))
  )
    draft.lose(
      list.source,
      'In Portkey, a provider that cannot be reached has the status 500 or 503. Here it has 502, which is not in the list.',
      'Add 502 to "on_status_codes" of the strategy.',
    );
};
