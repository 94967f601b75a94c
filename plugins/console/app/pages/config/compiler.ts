import { texts } from '../../texts/config.ts';
import type { CompilerAnswers, CompilerQuestion, ConfigFacts, FromCompiler, ToCompiler } from './messages.ts';

/** The compiler of a page. It answers questions in order, and rejects them once its worker has failed or is closed. */
export interface Compiler {
  ask<About extends CompilerQuestion['about']>(
    text: string,
    question: Extract<CompilerQuestion, { readonly about: About }>,
  ): Promise<CompilerAnswers[About]>;
  close(): void;
}

/** Starts a compiler in a worker. */
export const startCompiler = (facts: ConfigFacts): Compiler => {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let failed: Error | undefined;
  let last = 0;
  const fail = (error: Error): void => {
    failed = error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  const send = (message: ToCompiler): void => worker.postMessage(message);
  worker.addEventListener('message', ({ data }: MessageEvent<FromCompiler>) => {
    const asked = waiting.get(data.id);
    waiting.delete(data.id);
    if ('failed' in data) asked?.reject(new Error(data.failed));
    else asked?.resolve(data.answer);
  });
  worker.addEventListener('error', ({ message }) => fail(new Error(message || texts.compiler.notLoaded)));
  send({ facts });
  return {
    ask: <About extends CompilerQuestion['about']>(text: string, question: CompilerQuestion) => {
      if (failed !== undefined) return Promise.reject(failed);
      last += 1;
      const asked = Promise.withResolvers<unknown>();
      waiting.set(last, asked);
      send({ id: last, text, question });
      // The worker's answer matches the kind of the question.
      return asked.promise as Promise<CompilerAnswers[About]>;
    },
    close: () => {
      worker.terminate();
      fail(new Error(texts.compiler.closed));
    },
  };
};
