import type { JsonObject } from '../../../schema/json/json.ts';
import type { Heard } from '../../matrix/scenario.ts';
import type { Success } from '../../matrix/upstreams/wire/answer-parts.ts';
import { startUpstream, type TestUpstream, type UpstreamCall } from '../../support/servers/upstream-server.ts';
import { readService, type Service, type ServiceId } from './services.ts';

/** The behaviour of the services in one conversation. */
export interface Scene {
  /** Returns the errors of the request. */
  judge(service: Service, heard: Heard, body: JsonObject): readonly string[];
  /** Returns the answer, or undefined if the service is overloaded. */
  answer(service: Service, heard: Heard): Success | undefined;
}

/** All services of all conversations, on one port. */
export interface Stage extends AsyncDisposable {
  /** Begins a conversation. */
  open(id: string, scene: Scene): void;
  /** The address of a service in a conversation. */
  toBase(id: string, service: ServiceId): string;
  /** The errors of its requests. */
  toFaults(id: string): readonly string[];
}

const address = /^\/c\/([^/]+)\/(\w+)(\/.*)$/;

export const startStage = async (): Promise<Stage> => {
  const scenes = new Map<string, { readonly scene: Scene; readonly errors: string[] }>();
  const serve = (call: UpstreamCall): void => {
    const [, id = '', name, path = ''] = address.exec(call.request.path) ?? [];
    const { scene, errors = [] } = scenes.get(id) ?? {};
    const service = readService(name as ServiceId);
    const request = { ...call.request, path };
    const placed = { ...call, request };
    const refuse = (status: number, message: string): void => {
      const isStream = path.includes('tream') || call.request.json().stream === true;
      service.answer(placed, { kind: 'error', status, message }, isStream);
    };
    try {
      const heard = service.hear(request);
      const found = scene?.judge(service, heard, call.request.json()) ?? ['There is no such conversation.'];
      errors.push(...found.map((error) => `${name}: ${error}`));
      const answer = scene?.answer(service, heard);
      if (answer === undefined) refuse(service.busy, 'Overloaded.');
      else service.answer(placed, answer, heard.stream);
    } catch (error) {
      errors.push(`${name}: ${error}`);
      refuse(400, String(error));
    }
  };
  const upstream: TestUpstream = await startUpstream(serve);
  return {
    open: (id, scene) => void scenes.set(id, { scene, errors: [] }),
    toBase: (id, service) => `${upstream.origin}/c/${id}/${service}`,
    toFaults: (id) => [...new Set(scenes.get(id)?.errors)],
    [Symbol.asyncDispose]: () => upstream.close(),
  };
};
