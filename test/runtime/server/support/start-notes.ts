import { createGateway, type ServiceKey } from '../../../../index.ts';
import type { Plugin } from '../../../../plugins/sdk/plugin/plugin.ts';
import { compileConfig } from '../../../support/plans/compile-config.ts';
import { type NotesPlugin, notesPlugin } from './notes-plugin.ts';

export interface NotesServer extends AsyncDisposable {
  readonly plugin: NotesPlugin;
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  readonly port: number;
  /** Sends a request, with `json` as its body if present. */
  ask(path: string, init?: RequestInit & { readonly json?: unknown }): Promise<Response>;
}

/** The error in a response. */
export interface UniformErrorFacts {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string;
  readonly errors?: readonly {
    readonly in?: string;
    readonly pointer: string;
    readonly message: string;
    readonly hint: string;
  }[];
}

export const readError = async (answer: Response): Promise<UniformErrorFacts> => {
  const body: unknown = await answer.json();
  return (body as { readonly error: UniformErrorFacts }).error;
};

export interface NotesOptions {
  readonly serviceKeys?: readonly ServiceKey[];
  readonly plugins?: readonly Plugin[];
}

/** Starts a gateway with the notes plugin and a provider that echoes. */
export const startNotes = async ({ serviceKeys = [], plugins = [] }: NotesOptions = {}): Promise<NotesServer> => {
  const plugin = notesPlugin();
  const plan = compileConfig('{ "name": "mirror", "provider": "echo" }');
  const gateway = createGateway({ plan, serviceKeys, plugins: [plugin, ...plugins] });
  const { port } = await gateway.listen();
  const origin = `http://127.0.0.1:${port}`;
  return {
    plugin,
    origin,
    port,
    ask: (path, { json, ...init } = {}) =>
      fetch(`${origin}${path}`, {
        ...init,
        ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
        headers: { ...(json === undefined ? {} : { 'content-type': 'application/json' }), ...init.headers },
      }),
    [Symbol.asyncDispose]: () => gateway.close({ drainMs: 0 }),
  };
};
