import type { StreamBody } from '../../../plugins/sdk/http/http.ts';

/** A streamed answer as a web stream: it is pulled no faster than it is read, and `left` is called if its reader cancels. */
export const webBody = (body: StreamBody, left: () => void): ReadableStream<Uint8Array> => {
  let drained: (() => void) | undefined;
  let over = false;
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      body.start({
        write: (chunk) => {
          if (over) return false;
          controller.enqueue(chunk);
          return (controller.desiredSize ?? 0) > 0;
        },
        onDrain: (resume) => {
          drained = resume;
        },
        end: () => {
          if (!over) controller.close();
          over = true;
        },
        fail: ({ message }) => {
          if (!over) controller.error(new Error(message));
          over = true;
        },
      });
    },
    pull: () => {
      const resume = drained;
      drained = undefined;
      resume?.();
    },
    cancel: () => {
      over = true;
      left();
    },
  });
};
