import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { temporaryFolder } from '../commands/temporary-folder.ts';

/** Debian's browser, or one that is installed under its other name. */
const program = ['chromium', 'chromium-browser'].find((name) => spawnSync(name, ['--version']).status === 0);

/** Whether tests can start a browser: `apt-get install -y --no-install-recommends chromium`. */
export const hasChromium: boolean = program !== undefined;

/** A page that is open in a browser. */
export interface BrowserPage {
  /** Evaluates and awaits a JavaScript expression. Returns its value, as JSON, and rejects with what it throws. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** Everything that the browser printed about the page: errors, and what its security policy blocked. */
  readonly printed: readonly string[];
}

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly entry?: { readonly text: string }; readonly exceptionDetails?: object };
  readonly result?: object;
  readonly error?: { readonly message: string };
}

/** The DevTools protocol (https://chromedevtools.github.io/devtools-protocol/) over its WebSocket. */
class DevTools {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, PromiseWithResolvers<object>>();
  readonly printed: string[] = [];
  #last = 0;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.addEventListener('message', ({ data }) => this.#take(JSON.parse(String(data))));
    socket.addEventListener('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('The browser has closed its connection.'));
    });
  }

  #take({ id, method, params = {}, result = {}, error }: Answer): void {
    if (method === 'Log.entryAdded') this.printed.push(params.entry?.text ?? '');
    if (method === 'Runtime.exceptionThrown') this.printed.push(JSON.stringify(params.exceptionDetails));
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (id === undefined || waiting === undefined) return;
    this.#waiting.delete(id);
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(error.message));
  }

  ask<Result>(method: string, params: object = {}, sessionId?: string): Promise<Result> {
    this.#last += 1;
    const answer = Promise.withResolvers<object>();
    this.#waiting.set(this.#last, answer);
    this.#socket.send(JSON.stringify({ id: this.#last, method, params, sessionId }));
    // The protocol defines the answer to each method.
    return answer.promise as Promise<Result>;
  }
}

interface Evaluated {
  readonly result: { readonly value?: unknown };
  readonly exceptionDetails?: { readonly text: string; readonly exception?: { readonly description?: string } };
}

/** Opens an address in a separate browser, which is closed at the end of the test or hook to which `whenFinished` belongs. */
export const openPage = async (url: string, whenFinished: (end: () => Promise<void>) => void): Promise<BrowserPage> => {
  const profile = temporaryFolder({}, (remove) => whenFinished(async () => remove()));
  const child = spawn(
    program ?? 'chromium',
    [
      ...['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, '--disable-gpu'],
      // For running as root, in a container, and with a small /dev/shm.
      ...[
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--no-first-run',
        '--disable-background-networking',
        'about:blank',
      ],
    ],
    // The browser's processes get a process group of their own, so that they can be ended together.
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  const exited = once(child, 'exit');
  whenFinished(async () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL');
    await exited;
  });
  const address = Promise.withResolvers<string>();
  let stderr = '';
  child.stderr.on('data', (part) => {
    stderr += part;
    const [, found] = /DevTools listening on (ws:\S+)/.exec(stderr) ?? [];
    if (found !== undefined) address.resolve(found);
  });
  exited.then(() => address.reject(new Error(`The browser ended:\n${stderr}`)));
  const socket = new WebSocket(await address.promise);
  await once(socket, 'open');
  const tools = new DevTools(socket);
  const { targetId } = await tools.ask<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await tools.ask<{ sessionId: string }>('Target.attachToTarget', { targetId, flatten: true });
  for (const domain of ['Log', 'Runtime', 'Page']) await tools.ask(`${domain}.enable`, {}, sessionId);
  await tools.ask('Page.navigate', { url }, sessionId);
  return {
    printed: tools.printed,
    async evaluate<Value>(expression: string) {
      const given = { expression, awaitPromise: true, returnByValue: true };
      const { result, exceptionDetails } = await tools.ask<Evaluated>('Runtime.evaluate', given, sessionId);
      if (exceptionDetails !== undefined)
        throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value as Value;
    },
  };
};
