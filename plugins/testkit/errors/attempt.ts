import { errorText } from '../../../schema/text/error-text.ts';

/** The errors that a test finds; what it throws is one. */
export const attempt = (what: string, run: () => readonly string[]): readonly string[] => {
  try {
    return run();
  } catch (error) {
    return [`${what}: ${errorText(error)}`];
  }
};
