import type { Finding } from '../../plan-generations/load-files.ts';
import type { ServeServices } from '../services/serve-services.ts';

/** Reports the findings of a reload to the operator. Returns true if a file was refused. */
export const reportDiagnostics = async (
  reported: readonly Finding[],
  { io, render }: Pick<ServeServices, 'io' | 'render'>,
): Promise<boolean> => {
  const files = new Map<string, readonly string[]>();
  for (const { source, diagnostics, reason } of reported) {
    if ('text' in source && diagnostics.length > 0) io.stderr(await render(diagnostics, source));
    // Diagnostics name their file; other reasons need it added, and are often those of several files.
    else if (reason !== undefined) files.set(reason, [...(files.get(reason) ?? []), source.file]);
  }
  for (const [reason, named] of files) io.stderr(`${[...new Set(named)].join(', ')}: ${reason}\n`);
  return reported.some(({ reason }) => reason !== undefined);
};
