import { findText } from '../../../../../schema/json/loose.ts';
import { writeFrame } from '../../../../sdk/framings/sse.ts';
import type { Store } from '../../../kernel/store/store.ts';
import type { ResponseSeals } from '../stored/response-seals.ts';
import { eventsFrom, type OneBackground } from './events-store.ts';

/** Some events of a response as they are sent, and the number behind the last of them. */
export interface EventFrames {
  readonly frames: readonly Buffer[];
  readonly next: number;
}

/** Reads the events of a response from a sequence number on. */
export type ReadFrames = (one: OneBackground, from: number) => Promise<EventFrames>;

/** Reads events once for all who ask for the same ones at the same time. */
export const sharedEvents = ({
  store,
  seals,
}: {
  readonly store: Pick<Store, 'db'>;
  readonly seals: ResponseSeals;
}): ReadFrames => {
  const reading = new Map<string, Promise<EventFrames>>();

  const read = async (one: OneBackground, from: number): Promise<EventFrames> => {
    const frames: Buffer[] = [];
    let next = from;
    for (const { number, following, events } of await eventsFrom(store.db, one, from)) {
      const opened = await seals.openEvents({ ...one, number }, events);
      for (const event of opened.slice(Math.max(0, next - number)))
        frames.push(Buffer.from(writeFrame({ event: findText(event.type) ?? 'message', data: JSON.stringify(event) })));
      next = following;
    }
    return { frames, next };
  };

  return (one, from) => {
    const key = `${one.tenant}/${one.id}/${from}`;
    const begun = reading.get(key) ?? read(one, from).finally(() => reading.delete(key));
    reading.set(key, begun);
    return begun;
  };
};
