import { useLayoutEffect, useState } from 'preact/hooks';
import { acrossSessions } from '../../api/across-sessions.ts';
import { get } from '../../api/client.ts';
import { type ApiError, asApiError } from '../../api/error.ts';
import { type Compiler, startCompiler } from './compiler.ts';
import type { ConfigFacts } from './messages.ts';

/** The compiler of a page, with the facts of the workspace. */
export interface OpenedCompiler {
  /** Undefined until the facts are loaded. */
  readonly compiler: Compiler | undefined;
  readonly facts: ConfigFacts | undefined;
  readonly error: ApiError | undefined;
}

const nothing: OpenedCompiler = { compiler: undefined, facts: undefined, error: undefined };

/** Runs a compiler with the facts of the workspace for as long as the component is mounted. */
export const useCompiler = (): OpenedCompiler => {
  const [opened, setOpened] = useState<OpenedCompiler>(nothing);
  useLayoutEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let compiler: Compiler | undefined;
    acrossSessions(() => get<ConfigFacts>('/config-facts', { signal }), signal).then(
      (facts) => {
        if (signal.aborted) return;
        compiler = startCompiler(facts);
        setOpened({ compiler, facts, error: undefined });
      },
      (thrown) => {
        if (!signal.aborted) setOpened({ ...nothing, error: asApiError(thrown) });
      },
    );
    return () => {
      controller.abort();
      compiler?.close();
    };
  }, []);
  return opened;
};
