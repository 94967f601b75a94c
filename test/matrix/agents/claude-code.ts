import { type Agent, jsonLines } from './agent.ts';

/** https://code.claude.com/docs/en/headless */
export const claudeCode: Agent = {
  library: 'Claude Code',
  dialect: 'messages',
  npm: '@anthropic-ai/claude-code@2.1.197',
  program: 'claude',
  reads: (file) => ({ id: 'toolu_read', name: 'Read', args: { file_path: file } }),
  command: ({ origin, headers, prompt }) => ({
    args: ['-p', prompt, '--output-format', 'json', '--model', 'claude-opus-4-6'],
    env: {
      ANTHROPIC_BASE_URL: origin,
      ANTHROPIC_API_KEY: 'not-sent',
      ANTHROPIC_CUSTOM_HEADERS: Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  }),
  said: (printed) => {
    const [result] = jsonLines(printed);
    const usage = Object(result?.usage);
    const cached = Number(usage.cache_read_input_tokens ?? 0) + Number(usage.cache_creation_input_tokens ?? 0);
    return {
      text: String(result?.result),
      usage: { input: Number(usage.input_tokens) + cached, output: Number(usage.output_tokens) },
    };
  },
};
