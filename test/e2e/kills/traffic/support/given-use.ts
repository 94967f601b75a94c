import type { Used } from './counting-provider.ts';
import type { Answer } from './traffic-gateway.ts';

/** The usage that a client received with an answer. */
export const givenUse = ({ text }: Answer): Used => {
  const [, input, output] = /"prompt_tokens":(\d+),"completion_tokens":(\d+)/.exec(text) ?? [];
  return { input: Number(input), output: Number(output) };
};

export const toUse = (...uses: readonly Used[]): Used => ({
  input: uses.reduce((sum, { input }) => sum + input, 0),
  output: uses.reduce((sum, { output }) => sum + output, 0),
});
