/** Cells of the matrix that are known not to work; each must fail, so that its row here goes when it is mended. */
export interface KnownFault {
  readonly family: string;
  /** All if absent. */
  readonly clients?: readonly string[];
  readonly scenarios?: readonly string[];
  readonly stream?: boolean;
  readonly why: string;
}

/** Where a request of the matrix belongs. */
export interface FaultPlace {
  readonly family: string;
  /** A dialect. */
  readonly client: string;
  readonly scenario: string;
  readonly stream: boolean;
}

const knownFaults: readonly KnownFault[] = [];

/** The fault that is known of a cell. */
export const knownFault = ({ family, client, scenario, stream }: FaultPlace): KnownFault | undefined =>
  knownFaults.find(
    (fault) =>
      fault.family === family &&
      (fault.clients?.includes(client) ?? true) &&
      (fault.scenarios?.includes(scenario) ?? true) &&
      (fault.stream ?? stream) === stream,
  );
