/** A page with an editor in a worker. `ask` calls the editor. */
const worker = new Worker('worker.js', { type: 'module' });
const waiting = new Map();
let last = 0;

worker.addEventListener('message', ({ data: { id, value, error } }) => {
  const asked = waiting.get(id);
  waiting.delete(id);
  if (error === undefined) asked.resolve(value);
  else asked.reject(new Error(error));
});
worker.addEventListener('error', ({ message }) => {
  for (const { reject } of waiting.values()) reject(new Error(message));
});

/** A map cannot be written as JSON. */
const plain = (value) => JSON.stringify(value, (_, inside) => (inside instanceof Map ? [...inside] : inside));

globalThis.ask = (method, ...given) => {
  last += 1;
  const answer = Promise.withResolvers();
  waiting.set(last, answer);
  worker.postMessage({ id: last, method, given });
  return answer.promise.then(plain);
};
