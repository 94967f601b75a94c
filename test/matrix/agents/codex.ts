import { neverRetries } from '../clients/never-retries.ts';
import { type Agent, jsonLines } from './agent.ts';

/** https://developers.openai.com/codex/config-advanced#custom-model-providers */
export const codex: Agent = {
  library: 'Codex',
  dialect: 'responses',
  npm: '@openai/codex@0.169.0',
  program: 'codex',
  reads: (file) => ({ id: 'call_read', name: 'exec_command', args: { cmd: `cat ${file}` } }),
  command: ({ origin, headers, prompt }) => {
    const written = Object.entries(headers).map(
      ([name, value]) => `${JSON.stringify(name)} = ${JSON.stringify(value)}`,
    );
    const members = [
      'name = "gateway"',
      `base_url = "${origin}/v1"`,
      'wire_api = "responses"',
      'env_key = "GATEWAY_KEY"',
      `http_headers = { ${written.join(', ')} }`,
    ];
    const provider = `model_providers.gateway={ ${members.join(', ')} }`;
    const access = ['--skip-git-repo-check', '--sandbox', 'danger-full-access'];
    return {
      args: [
        'exec',
        '--json',
        ...access,
        '-m',
        'gpt-5.1-codex',
        '-c',
        'model_provider=gateway',
        '-c',
        provider,
        prompt,
      ],
      env: { GATEWAY_KEY: 'not-sent' },
    };
  },
  said: (printed) => {
    const events = jsonLines(printed);
    const items = events.map(({ item }) => Object(item));
    const usage = Object(events.find(({ type }) => type === 'turn.completed')?.usage);
    return {
      text: items.flatMap(({ type, text }) => (type === 'agent_message' ? [String(text)] : [])).join('\n'),
      usage: { input: Number(usage.input_tokens), output: Number(usage.output_tokens) },
    };
  },
  cannot: [neverRetries],
};
