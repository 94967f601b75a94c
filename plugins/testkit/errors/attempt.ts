import { errorText } from '../../../schema/text/error-text.ts';

/** Returns the errors that a test finds. If the test throws, that is one error. */
export const attempt = (what: string, run: () => readonly string[]): readonly string[] => {
  try {
    return run();
  } catch (error) {
    return [`${what}: ${errorText(error)}`];
  }
};
