import type { JsonObject } from '../../../../schema/json/json.ts';
import type { Proofs } from '../proofs.ts';
import type { Service, ServiceId } from '../services.ts';
import type { Tongue } from '../tongues/tongue.ts';

const googles: readonly ServiceId[] = ['vertex', 'google'];

/** In Gemini's own dialect the gateway forwards bytes between Google's two services unchanged, which it documents as a limit. */
const isPassedOn = ({ id }: Service, { dialect }: Tongue): boolean => dialect === 'gemini' && googles.includes(id);

const hasPlaceFor = ({ id }: Service, tongue: Tongue): boolean => {
  if (id === 'openai') return tongue.dialect === 'responses';
  return tongue.keepsSignatures || googles.includes(id);
};

/** Checks the values in a request that belong to one service. Reports values of other services, and missing ones of its own. */
export const judgeBound = (
  body: JsonObject,
  { service, tongue, proofs }: { readonly service: Service; readonly tongue: Tongue; readonly proofs: Proofs },
): readonly string[] => {
  const text = JSON.stringify(body);
  const isPassed = isPassedOn(service, tongue);
  const isHome = service.id === tongue.home;
  const hasFile = text.includes(tongue.file);
  const own = hasPlaceFor(service, tongue) ? proofs.by(service.id) : [];
  return [
    ...proofs.errors(body, isPassed ? googles : [service.maker]),
    ...own.filter((value) => !text.includes(value)).map(() => 'What it made itself was lost.'),
    ...(hasFile && !isHome && !isPassed ? ["Another service's file was sent."] : []),
    ...(!hasFile && isHome ? ['Its own file was lost.'] : []),
    ...(isPassed && !text.includes('text/plain') ? ['The type of its file was lost.'] : []),
  ];
};
