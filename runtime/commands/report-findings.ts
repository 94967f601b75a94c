import type { Finding } from '../generations/load-files.ts';
import type { ServeServices } from './serve-services.ts';

/** Tells the operator what a reload found. True: a file was refused. */
export const reportFindings = async (
  findings: readonly Finding[],
  { io, render }: Pick<ServeServices, 'io' | 'render'>,
): Promise<boolean> => {
  for (const { source, diagnostics, reason } of findings) {
    if ('text' in source && diagnostics.length > 0) io.stderr(await render(diagnostics, source));
    // Diagnostics explain themselves; what is not one needs its file named.
    else if (reason !== undefined) io.stderr(`${source.file}: ${reason}\n`);
  }
  return findings.some(({ reason }) => reason !== undefined);
};
