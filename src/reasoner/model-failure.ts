/**
 * A model could not be asked, or did not answer in a way that can be used.
 *
 * - `final`: asking again gives the same (a wrong key, an unknown model, a request that is too large);
 * - `retry`: an overload, a cut connection, a time-out; `afterMs` is what the server asked for;
 * - `refusal`: the model declines to answer this; another one may not.
 */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';

  constructor(
    readonly kind: 'final' | 'retry' | 'refusal',
    message: string,
    readonly afterMs?: number,
  ) {
    super(message);
  }
}

/** No money may be spent on this call; the message names the ceiling. Nothing was asked. */
export class BudgetRefusal extends Error {
  override readonly name = 'BudgetRefusal';
}
