/** `--format`, which every command here has. */
export const formatOption = {
  type: 'string',
  choices: ['human', 'json'],
  describe: 'For people, or one JSON document on standard output.',
} as const;

/** `--config`, likewise. */
export const configOption = {
  type: 'string',
  value: 'FILE',
  describe: 'The gateway file: plugins, saved providers, guardrails. gateway.json of this folder where there is one.',
} as const;
