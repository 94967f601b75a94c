/** `--format`, which every command here has. */
export const formatOption = {
  type: 'string',
  choices: ['human', 'json'],
  describe: 'Text for people, or one JSON document.',
} as const;

/** `--config`, likewise. */
export const configOption = {
  type: 'string',
  value: 'FILE',
  describe: 'The gateway file, with plugins, saved providers and guardrails; gateway.json by default, if there is one.',
} as const;
