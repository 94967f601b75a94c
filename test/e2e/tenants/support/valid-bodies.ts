/**
 * Bodies by operation, for operations that reject an empty body before they look anything up. `name` names records of the
 * sender.
 */
export const validBodies = (name: string): Readonly<Record<string, object>> => ({
  update_integration_models: { models: [] },
  publish_prompt: { version: 1 },
  publish_partial: { version: 1 },
  label_prompt: { label: `${name}-label`, version: 1 },
  render_prompt: { variables: {} },
  update_collection: { name: 'another' },
  complete_prompt: { variables: {} },
  update_apply: { records: {} },
  replay_log: { config: { provider: 'echo' } },
  ...Object.fromEntries(
    ['config', 'guardrail', 'integration', 'provider', 'virtual_key'].map((noun) => [
      `compare_${noun}`,
      { values: { '/x': 'y' } },
    ]),
  ),
});
