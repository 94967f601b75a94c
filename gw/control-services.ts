import { homedir } from 'node:os';
import type { CommandIo } from '../compiler/cli/command-line/services.ts';
import type { ControlServices } from '../plugins/control/cli/command-line/services.ts';
import { configuredMasterKey, configuredStore } from './configured-settings.ts';
import { isProcess } from './is-process.ts';

const onStop = (listener: () => void): (() => void) => {
  const signals = ['SIGINT', 'SIGTERM'] as const;
  const stopListening = (): void => {
    for (const signal of signals) process.off(signal, stop);
  };
  const stop = (): void => {
    stopListening();
    listener();
  };
  for (const signal of signals) process.on(signal, stop);
  return stopListening;
};

export const controlServices = async (io: CommandIo): Promise<ControlServices> => {
  const [{ parseCommandLine }, { commandHelp }, { readText }, { parseConfig }, { renderDiagnostic }] =
    await Promise.all([
      import('../compiler/cli/command-line/parse-command-line.ts'),
      import('../schema/command-help/command-help.ts'),
      import('../compiler/cli/files/read-text.ts'),
      import('../compiler/parse/parse-config.ts'),
      import('../compiler/diagnostic-text/render.ts'),
    ]);
  const isTerminal = isProcess(io) && process.stdout.isTTY === true;
  return {
    cwd: io.cwd,
    home: homedir(),
    env: process.env,
    out: io.out,
    err: io.err,
    ask: io.ask,
    onStop,
    isTerminal,
    columns: isTerminal ? process.stdout.columns : undefined,
    readText: async (file) =>
      file === '-' ? (await import('node:stream/consumers')).text(process.stdin) : readText(io, file),
    writeFiles: async (files, destination) =>
      (await import('../compiler/cli/files/write-files.ts')).writeFiles(files, destination, io),
    parse: parseCommandLine,
    help: commandHelp,
    readJson: (text, file) => {
      const { document, reporter } = parseConfig(text, { file, isFile: true });
      if (document === undefined || reporter.failed) return { diagnostics: reporter.diagnostics() };
      return {
        value: document.value,
        locate: (finding) => {
          const part = finding.code === 'unknown-key' ? 'key' : 'value';
          return { ...finding, file, span: document.readSpan(finding.pointer, part) };
        },
      };
    },
    render: renderDiagnostic,
    providerFacts: async (gatewayFile) => (await import('./provider-facts.ts')).listProviderFacts(io, gatewayFile),
    modelFacts: async (gatewayFile) => (await import('./list-models.ts')).listModels(io, gatewayFile),
    refreshModels: async (options) => (await import('./refresh-models.ts')).refreshModels(io, options),
    configuredStore: (gatewayFile) => configuredStore(io, gatewayFile),
    configuredMasterKey: (gatewayFile) => configuredMasterKey(io, gatewayFile),
  };
};
