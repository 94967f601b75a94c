import { useEffect, useRef } from 'preact/hooks';

/** Runs something once no key has been pressed for a moment. */
export interface TypingPause {
  /** Call it with each change of a text. Only the last `run` runs, and only while the component is shown. */
  readonly after: (run: () => void) => void;
  readonly cancel: () => void;
}

/** So long that a word is not searched for letter by letter. */
const pauseMs = 250;

export const useTypingPause = (): TypingPause => {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const cancel = (): void => clearTimeout(timer.current);
  useEffect(() => cancel, []);
  return {
    cancel,
    after: (run) => {
      cancel();
      timer.current = setTimeout(run, pauseMs);
    },
  };
};
