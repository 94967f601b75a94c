import { expect, it } from 'vitest';
import { reportDiagnostics } from '../../../../runtime/cli/reload/report-diagnostics.ts';

type Reported = Parameters<typeof reportDiagnostics>[0][number];
type Services = Parameters<typeof reportDiagnostics>[1];

const report = async (severity: 'error' | 'warning'): Promise<string> => {
  let printed = '';
  const services = {
    io: { stderr: (text: string) => (printed += text) },
    render: async (diagnostics: Reported['diagnostics']) => `${diagnostics.map(({ message }) => message).join('\n')}\n`,
  } as unknown as Services;
  const finding = {
    source: { file: 'chat.json', text: '{}' },
    diagnostics: [{ severity, message: 'Look at this.' }],
    reason: 'The provider "acme" has no headers.',
  } as unknown as Reported;
  expect(await reportDiagnostics([finding], services, { file: 'gateway.json', text: '' } as never)).toBe(true);
  return printed;
};

it('the reason why a file is refused is reported next to its warnings', async () => {
  expect(await report('warning')).toBe('Look at this.\nchat.json: The provider "acme" has no headers.\n');
});

it('the reason why a file is refused is not repeated if an error states it', async () => {
  expect(await report('error')).toBe('Look at this.\n');
});
